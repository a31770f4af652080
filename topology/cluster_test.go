package topology_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/topology"
)

// cluster is what the tracker tests ask: a table of replies by address, without sockets. Nodes are 10.0.0.1:6379 and so
// on; primaries first, then the replicas of each.
type cluster struct {
	mu    sync.Mutex
	nodes map[string]*server
	calls []string
	times []time.Time
}

// server answers for one address. A nil function means the default.
type server struct {
	shards  []topology.Shard // its view
	version string
	delay   time.Duration
	err     error // instead of an answer, to both commands
	// answer, if set, replaces the answer to a command when it returns true.
	answer func(cmd topology.Command) (topology.Answer, error, bool)
}

var errRefused = errors.New("connection refused")

func newCluster(primaries, replicas int) *cluster {
	c := &cluster{nodes: make(map[string]*server)}
	shards := evenShards(primaries, replicas)
	for _, s := range shards {
		c.nodes[s.Primary.Addr] = &server{shards: shards, version: "7.4.0"}
		for _, r := range s.Replicas {
			c.nodes[r.Addr] = &server{shards: shards, version: "7.4.0"}
		}
	}
	return c
}

// evenShards are the shards of a cluster of 10.0.0.x nodes, slots in equal shares.
func evenShards(primaries, replicas int) []topology.Shard {
	shards := make([]topology.Shard, primaries)
	for i := range shards {
		s := &shards[i]
		s.Primary = testNode(i + 1)
		s.Slots = []topology.Range{{Start: uint16(i * 16384 / primaries), End: uint16((i + 1) * 16384 / primaries)}}
		for j := range replicas {
			s.Replicas = append(s.Replicas, testNode(primaries+i*replicas+j+1))
		}
	}
	return shards
}

func testNode(i int) topology.Node {
	return topology.Node{ID: fmt.Sprintf("%040x", i), Addr: fmt.Sprintf("10.0.0.%d:6379", i), Health: "online"}
}

// track makes a tracker that asks c, seeded with the first node unless cfg says otherwise.
func (c *cluster) track(t *testing.T, cfg topology.Config) *topology.Tracker {
	if cfg.Seeds == nil {
		cfg.Seeds = []string{"10.0.0.1:6379"}
	}
	if cfg.Ask == nil {
		cfg.Ask = c.ask
	}
	tr := topology.NewTracker(cfg)
	t.Cleanup(tr.Close)
	return tr
}

func (c *cluster) ask(ctx context.Context, addr string, cmd topology.Command) (topology.Answer, error) {
	c.mu.Lock()
	c.calls = append(c.calls, addr+" "+cmd.String())
	c.times = append(c.times, time.Now())
	var s server
	if n := c.nodes[addr]; n != nil {
		s = *n
	} else {
		s.err = errRefused
	}
	c.mu.Unlock()
	if s.delay > 0 {
		select {
		case <-time.After(s.delay):
		case <-ctx.Done():
			return topology.Answer{}, ctx.Err()
		}
	}
	if s.answer != nil {
		if a, err, ok := s.answer(cmd); ok {
			return a, err
		}
	}
	if s.err != nil {
		return topology.Answer{}, s.err
	}
	a := topology.Answer{Version: s.version, Asked: topology.Asked{Host: hostOf(addr), Port: 6379}}
	if cmd == topology.Shards {
		a.Value = shardsReply(s.shards)
	} else {
		a.Value = slotsReply(s.shards)
	}
	return a, nil
}

// set changes the server of an address.
func (c *cluster) set(addr string, change func(*server)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &server{version: "7.4.0"}
	if old := c.nodes[addr]; old != nil {
		*s = *old
	}
	change(s)
	c.nodes[addr] = s
}

// setAll changes every server.
func (c *cluster) setAll(change func(*server)) {
	for addr := range c.nodes {
		c.set(addr, change)
	}
}

// view gives the nodes named, or all, another view.
func (c *cluster) view(shards []topology.Shard, addrs ...string) {
	change := func(s *server) { s.shards = shards }
	if len(addrs) == 0 {
		c.setAll(change)
	}
	for _, a := range addrs {
		c.set(a, change)
	}
}

// asked returns what was asked since the last call.
func (c *cluster) asked() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls
	c.calls, c.times = nil, nil
	return calls
}

func replyError(line string) error { return resp.NewError(line) }

// peek returns what was asked since the last call of asked.
func (c *cluster) peek() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls
}
