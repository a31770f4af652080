package redistest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// WaitReady waits until the cluster is whole as seen by every live node: all slots are served, by live primaries, all live
// nodes agree by whom and know each other, CLUSTER SHARDS puts each replica beside its primary, and every live replica is in
// step with its primary. Killed and frozen nodes are not asked and may be missing.
func (c *Cluster) WaitReady(ctx context.Context) error {
	err := poll(ctx, func() error {
		live := c.live()
		if len(live) == 0 {
			return errors.New("no live node")
		}
		pictures := make([]string, len(live))
		err := each(live, func(i int, n *Node) (err error) {
			pictures[i], err = n.readyPicture(ctx, live)
			return err
		})
		if err != nil {
			return err
		}
		for i, picture := range pictures {
			if picture != pictures[0] {
				return fmt.Errorf("%s and %s disagree:\n%s\n%s", live[0].Addr, live[i].Addr, pictures[0], picture)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("redistest: cluster not ready: %w", err)
	}
	return nil
}

// readyPicture returns n's opinion of who serves what and who follows whom, or an error that says why n is not ready.
func (n *Node) readyPicture(ctx context.Context, live []*Node) (string, error) {
	state, err := n.fields(ctx, "CLUSTER", "INFO")
	if err != nil {
		return "", err
	}
	if state["cluster_state"] != "ok" || state["cluster_slots_ok"] != fmt.Sprint(slotCount) {
		return "", fmt.Errorf("%s: state %s, %s slots ok", n.Addr, state["cluster_state"], state["cluster_slots_ok"])
	}
	members, err := n.view(ctx)
	if err != nil {
		return "", err
	}
	var picture []string
	known, primaries := 0, 0
	for _, m := range members {
		if m.is("master") {
			primaries++
		}
		alive := slices.ContainsFunc(live, func(l *Node) bool { return l.ID == m.id })
		switch {
		case m.is("handshake"):
			return "", fmt.Errorf("%s: in handshake with %s", n.Addr, m.id)
		case !alive && len(m.slots) > 0:
			return "", fmt.Errorf("%s: slots belong to %s, which is not live", n.Addr, m.id)
		case !alive:
			continue
		case m.is("fail") || m.is("fail?"):
			return "", fmt.Errorf("%s: thinks that %s has failed", n.Addr, m.id)
		}
		known++
		picture = append(picture, fmt.Sprintf("%.8s primary=%.8s slots=%v", m.id, m.primary, m.slots))
	}
	if known != len(live) {
		return "", fmt.Errorf("%s: knows %d of %d live nodes", n.Addr, known, len(live))
	}
	// A node hears later which shard a replica belongs to than which primary it follows, and till then calls it a shard of
	// its own.
	shards, err := n.client.do(ctx, "CLUSTER", "SHARDS")
	if err == nil && len(shards.Elems) > primaries { // an error is that of a server before 7.0, which has no such command
		return "", fmt.Errorf("%s: %d shards of %d primaries", n.Addr, len(shards.Elems), primaries)
	}
	replication, err := n.Info(ctx, "replication")
	if err != nil {
		return "", err
	}
	if replication["role"] == "slave" && replication["master_link_status"] != "up" {
		return "", fmt.Errorf("%s: replication link is %s", n.Addr, replication["master_link_status"])
	}
	slices.Sort(picture)
	return strings.Join(picture, "\n"), nil
}

// PrimaryOf returns the live node that holds the slot by its own account; of several, as there are for a moment after a
// failover, the one whose claim is newest.
func (c *Cluster) PrimaryOf(ctx context.Context, slot int) (*Node, error) {
	var primary *Node
	var epoch uint64
	for _, n := range c.live() {
		members, err := n.view(ctx)
		if err != nil {
			return nil, err
		}
		for _, m := range members {
			if m.is("myself") && m.is("master") && m.owns(slot) && (primary == nil || m.epoch > epoch) {
				primary, epoch = n, m.epoch
			}
		}
	}
	if primary == nil {
		return nil, fmt.Errorf("redistest: no live primary holds slot %d", slot)
	}
	return primary, nil
}
