package redistest

import (
	"context"
	"fmt"
	"net"
	"strconv"
)

// form starts all nodes and makes a cluster of them: slots, epochs, acquaintance, replication.
func (c *Cluster) form(ctx context.Context) error {
	primaries := c.cfg.Primaries
	c.nodes = make([]*Node, primaries*(1+c.cfg.Replicas))
	err := each(c.nodes, func(i int, _ *Node) error {
		_, err := c.startNode(ctx, i)
		return err
	})
	if err != nil {
		return err
	}
	err = each(c.nodes[:primaries], func(i int, n *Node) error {
		first := 0
		if i > 0 {
			first = c.cfg.SlotEnds[i-1]
		}
		return n.all(ctx,
			// Different epochs from the start, or the nodes would spend rounds on resolving the conflict.
			[]string{"CLUSTER", "SET-CONFIG-EPOCH", strconv.Itoa(i + 1)},
			[]string{"CLUSTER", "ADDSLOTSRANGE", strconv.Itoa(first), strconv.Itoa(c.cfg.SlotEnds[i] - 1)},
		)
	})
	if err != nil {
		return err
	}
	// Everybody meets everybody, which spares the time that gossip takes to introduce them.
	err = each(c.nodes, func(i int, n *Node) error { return n.meet(ctx, c.nodes[i+1:]) })
	if err != nil {
		return err
	}
	err = each(c.nodes[primaries:], func(i int, n *Node) error {
		return n.replicate(ctx, c.nodes[i/c.cfg.Replicas])
	})
	if err != nil {
		return err
	}
	return c.WaitReady(ctx)
}

// compact returns a copy without the nodes that are not there yet.
func compact(nodes []*Node) []*Node {
	var started []*Node
	for _, n := range nodes {
		if n != nil {
			started = append(started, n)
		}
	}
	return started
}

// all sends the commands at once and returns the first error among their replies.
func (n *Node) all(ctx context.Context, commands ...[]string) error {
	if len(commands) == 0 {
		return nil
	}
	values, err := n.Pipeline(ctx, commands...)
	if err != nil {
		return err
	}
	for i, value := range values {
		if err := value.Err(); err != nil {
			return fmt.Errorf("redistest: %s: %v: %w", n.Addr, commands[i], err)
		}
	}
	return nil
}

func (n *Node) meet(ctx context.Context, others []*Node) error {
	var commands [][]string
	for _, other := range others {
		host, port, _ := net.SplitHostPort(other.Addr)
		commands = append(commands, []string{"CLUSTER", "MEET", host, port})
	}
	return n.all(ctx, commands...)
}

// replicate makes n, a node without slots, a replica of primary, as soon as n has got to know it.
func (n *Node) replicate(ctx context.Context, primary *Node) error {
	err := poll(ctx, func() error {
		_, err := n.client.do(ctx, "CLUSTER", "REPLICATE", primary.ID)
		return err
	})
	if err != nil {
		return fmt.Errorf("redistest: %s as a replica of %s: %w", n.Addr, primary.Addr, err)
	}
	return nil
}
