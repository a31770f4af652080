package batch

import (
	"context"
	"net"
	"strconv"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/topology"
)

// ask is how the tracker asks a node: on a connection of its own, so that a refresh neither waits for a pool that is
// exhausted by batches nor holds one of its connections.
func (c *Client) ask(ctx context.Context, addr string, cmd topology.Command) (topology.Answer, error) {
	nc, err := conn.Dial(ctx, addr, &c.cfg.Conn)
	if err != nil {
		return topology.Answer{}, err
	}
	defer nc.Close()
	if cmd == topology.Shards && !topology.ShardsSafe(nc.Version()) {
		return topology.Answer{Version: nc.Version()}, topology.ErrOldServer
	}
	what := "SHARDS"
	if cmd == topology.Slots {
		what = "SLOTS"
	}
	value, err := nc.Do(ctx, "CLUSTER", what)
	return topology.Answer{Value: value, Version: nc.Version(), Asked: c.asked(nc)}, err
}

// asked describes a connection for the sake of replies that leave out what it tells.
func (c *Client) asked(nc *conn.Conn) topology.Asked {
	asked := topology.Asked{Host: nc.Host(), TLS: nc.TLS(), MapAddr: c.cfg.MapAddr}
	if _, port, err := net.SplitHostPort(nc.Addr()); err == nil {
		asked.Port, _ = strconv.Atoi(port)
	}
	return asked
}
