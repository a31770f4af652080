package redistest

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"
)

// migrateTimeout bounds the transfer of the keys of one MIGRATE command, which blocks both servers.
const migrateTimeout = 5 * time.Second

// maxKeysInSlot is how many keys of a slot Keys asks for; far more than a test puts there.
const maxKeysInSlot = 1 << 20

// Migration is the move of one slot in the classic way (IMPORTING, MIGRATING, MIGRATE key by key, NODE), which goes on for
// as long as the test likes: between BeginMigration and Commit the keys of the slot are partly here and partly
// there, and the servers answer ASK and TRYAGAIN. Its methods may be called at once with traffic, but not with each other.
type Migration struct {
	Slot     int
	From, To *Node
	cluster  *Cluster
}

// BeginMigration opens a slot that from holds for its move to the primary to. No key has moved yet.
func (c *Cluster) BeginMigration(ctx context.Context, slot int, from, to *Node) (*Migration, error) {
	m := &Migration{Slot: slot, From: from, To: to, cluster: c}
	// The target first, or it would answer MOVED to those who ask it after an ASK.
	if err := to.all(ctx, setSlot(slot, "IMPORTING", from.ID)); err != nil {
		return nil, err
	}
	if err := from.all(ctx, setSlot(slot, "MIGRATING", to.ID)); err != nil {
		return nil, err
	}
	return m, nil
}

func setSlot(slot int, args ...string) []string {
	return append([]string{"CLUSTER", "SETSLOT", strconv.Itoa(slot)}, args...)
}

// Keys returns the keys that have not moved yet.
func (m *Migration) Keys(ctx context.Context) ([]string, error) {
	return m.From.keysInSlot(ctx, m.Slot)
}

func (n *Node) keysInSlot(ctx context.Context, slot int) ([]string, error) {
	reply, err := n.client.do(ctx, "CLUSTER", "GETKEYSINSLOT", strconv.Itoa(slot), strconv.Itoa(maxKeysInSlot))
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, key := range reply.Elems {
		keys = append(keys, key.Text)
	}
	return keys, nil
}

// Move moves the given keys with one MIGRATE. Keys that are not there, or no longer, are passed over.
func (m *Migration) Move(ctx context.Context, keys ...string) error {
	return m.cluster.moveKeys(ctx, m.From, m.To, keys)
}

func (c *Cluster) moveKeys(ctx context.Context, from, to *Node, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	host, port, _ := net.SplitHostPort(to.Addr)
	command := []string{"MIGRATE", host, port, "", "0", strconv.FormatInt(migrateTimeout.Milliseconds(), 10)}
	if c.cfg.Password != "" {
		command = append(command, "AUTH", c.cfg.Password)
	}
	command = append(command, "KEYS")
	return from.all(ctx, append(command, keys...))
}

// MoveAll moves, one by one, the keys that have not moved yet, and calls between, unless it is nil, after each.
func (m *Migration) MoveAll(ctx context.Context, between func(key string)) error {
	keys, err := m.Keys(ctx)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := m.Move(ctx, key); err != nil {
			return err
		}
		if between != nil {
			between(key)
		}
	}
	return nil
}

// Commit ends a migration whose keys have all moved: the slot belongs to To. First To, then From, then every other live
// primary is told, as redis-cli does.
func (m *Migration) Commit(ctx context.Context) error {
	keys, err := m.Keys(ctx)
	if err != nil {
		return err
	}
	if len(keys) > 0 {
		return fmt.Errorf("redistest: slot %d: %d keys have not moved", m.Slot, len(keys))
	}
	return m.cluster.assign(ctx, m.To, m.From, [][]string{setSlot(m.Slot, "NODE", m.To.ID)})
}

// assign sends the commands to the given two nodes in this order, then to all other live primaries.
func (c *Cluster) assign(ctx context.Context, to, from *Node, commands [][]string) error {
	if err := to.all(ctx, commands...); err != nil {
		return err
	}
	if err := from.all(ctx, commands...); err != nil {
		return err
	}
	return each(c.live(), func(_ int, n *Node) error {
		if n == to || n == from {
			return nil
		}
		role, err := n.client.do(ctx, "ROLE")
		if err != nil || role.Elems[0].Text != "master" {
			return err
		}
		return n.all(ctx, commands...)
	})
}

// MigrateSlot moves a slot from one primary to another, key by key, from beginning to end.
func (c *Cluster) MigrateSlot(ctx context.Context, slot int, from, to *Node) error {
	m, err := c.BeginMigration(ctx, slot, from, to)
	if err != nil {
		return err
	}
	if err := m.MoveAll(ctx, nil); err != nil {
		return err
	}
	return m.Commit(ctx)
}
