package redistest

import (
	"context"
	"fmt"
	"slices"
)

// Failover makes the replica at index i of Nodes the primary of its shard (CLUSTER FAILOVER) and waits until every live
// node knows. Its primary, if it lives, becomes its replica. An option, FORCE or TAKEOVER, is for when it does not.
func (c *Cluster) Failover(ctx context.Context, i int, option ...string) error {
	replica := c.Node(i)
	if err := replica.all(ctx, append([]string{"CLUSTER", "FAILOVER"}, option...)); err != nil {
		return err
	}
	err := poll(ctx, func() error {
		return each(c.live(), func(_ int, n *Node) error { return n.sees(ctx, replica) })
	})
	if err != nil {
		return fmt.Errorf("redistest: failover to %s: %w", replica.Addr, err)
	}
	return nil
}

// sees returns an error unless n takes other for a primary with slots.
func (n *Node) sees(ctx context.Context, other *Node) error {
	members, err := n.view(ctx)
	if err != nil {
		return err
	}
	isPrimary := slices.ContainsFunc(members, func(m member) bool {
		return m.id == other.ID && m.is("master") && len(m.slots) > 0
	})
	if !isPrimary {
		return fmt.Errorf("%s does not see %s as a primary", n.Addr, other.Addr)
	}
	return nil
}
