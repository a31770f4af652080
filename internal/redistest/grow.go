package redistest

import (
	"context"
	"fmt"
	"slices"
)

// slotsAtOnce is how many slots MoveSlots holds open at a time.
const slotsAtOnce = 64

// AddNode starts a further node and waits until the cluster has taken it in: as a primary without slots, or as a replica of
// the given primary.
func (c *Cluster) AddNode(ctx context.Context, replicaOf *Node) (*Node, error) {
	others := c.live()
	c.mu.Lock()
	i := len(c.nodes)
	c.nodes = append(c.nodes, nil)
	c.mu.Unlock()
	n, err := c.startNode(ctx, i)
	if err != nil {
		return nil, err
	}
	if err := n.meet(ctx, others); err != nil {
		return nil, err
	}
	if replicaOf != nil {
		if err := n.replicate(ctx, replicaOf); err != nil {
			return nil, err
		}
	}
	return n, c.WaitReady(ctx)
}

// Grow adds a primary and moves an equal share of the slots to it, with their keys, some from each primary; it returns when
// all nodes agree. Clients may go on meanwhile.
func (c *Cluster) Grow(ctx context.Context) (*Node, error) {
	n, err := c.AddNode(ctx, nil)
	if err != nil {
		return nil, err
	}
	primaries, err := c.primaries(ctx)
	if err != nil {
		return nil, err
	}
	wanted := slotCount / (len(primaries) + 1)
	for i, primary := range primaries {
		slots, err := primary.ownSlots(ctx)
		if err != nil {
			return nil, err
		}
		share := wanted / (len(primaries) - i)
		wanted -= share
		if err := c.MoveSlots(ctx, primary, n, slots[:min(share, len(slots))]); err != nil {
			return nil, err
		}
	}
	return n, c.WaitReady(ctx)
}

// primaries returns the live nodes that hold slots.
func (c *Cluster) primaries(ctx context.Context) ([]*Node, error) {
	var primaries []*Node
	for _, n := range c.live() {
		slots, err := n.ownSlots(ctx)
		if err != nil {
			return nil, err
		}
		if len(slots) > 0 {
			primaries = append(primaries, n)
		}
	}
	return primaries, nil
}

// ownSlots returns the slots that n holds as a primary, ascending, by its own account.
func (n *Node) ownSlots(ctx context.Context) ([]int, error) {
	members, err := n.view(ctx)
	if err != nil {
		return nil, err
	}
	var slots []int
	for _, m := range members {
		if !m.is("myself") {
			continue
		}
		for _, r := range m.slots {
			for slot := r.first; slot <= r.last; slot++ {
				slots = append(slots, slot)
			}
		}
	}
	return slots, nil
}

// MoveSlots moves many slots from one primary to another with their keys, a few at a time, in the way of Migration. Clients
// may go on meanwhile.
func (c *Cluster) MoveSlots(ctx context.Context, from, to *Node, slots []int) error {
	for chunk := range slices.Chunk(slots, slotsAtOnce) {
		if err := c.moveChunk(ctx, from, to, chunk); err != nil {
			return fmt.Errorf("redistest: slots %d to %d: %w", chunk[0], chunk[len(chunk)-1], err)
		}
	}
	return nil
}

func (c *Cluster) moveChunk(ctx context.Context, from, to *Node, slots []int) error {
	var importing, migrating, assigned [][]string
	for _, slot := range slots {
		importing = append(importing, setSlot(slot, "IMPORTING", from.ID))
		migrating = append(migrating, setSlot(slot, "MIGRATING", to.ID))
		assigned = append(assigned, setSlot(slot, "NODE", to.ID))
	}
	if err := to.all(ctx, importing...); err != nil {
		return err
	}
	if err := from.all(ctx, migrating...); err != nil {
		return err
	}
	for _, slot := range slots {
		// From here on no key can appear at the source: it answers ASK for those it does not have.
		keys, err := from.keysInSlot(ctx, slot)
		if err != nil {
			return err
		}
		if err := c.moveKeys(ctx, from, to, keys); err != nil {
			return err
		}
	}
	return c.assign(ctx, to, from, assigned)
}
