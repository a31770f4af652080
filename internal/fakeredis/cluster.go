package fakeredis

import (
	"context"
	"fmt"
	"net"
	"sync"
	"syscall"
	"testing"

	"github.com/slotcast/slotcast/crc16"
)

// Cluster is some servers that behave as the primaries of a Redis Cluster with equal shares of the slots, as far as a
// client that gets and sets strings can see. What a server does can be replaced command by command, see [Node.On].
type Cluster struct {
	nodes []*Node

	mu     sync.Mutex
	owner  [crc16.SlotCount]int // index of the node; nobody if none
	moving map[uint16]int       // slots being migrated, and to which node
	views  int
}

const nobody = -1

// StartCluster starts a cluster of so many primaries.
func StartCluster(t testing.TB, primaries int) *Cluster {
	t.Helper()
	c := newCluster(primaries)
	for i := range primaries {
		s := Start(t)
		n := c.add(i, s.Addr(), s.Port())
		n.Server = s
		s.Handle(Ready(n.serve))
	}
	return c
}

// NewCluster makes a cluster of so many primaries without servers: it is to be reached through its Dial, by connections
// in memory, which fit into a testing/synctest bubble.
func NewCluster(primaries int) *Cluster {
	c := newCluster(primaries)
	for i := range primaries {
		c.add(i, fmt.Sprintf("127.0.0.1:%d", 7000+i), 7000+i)
	}
	return c
}

func newCluster(primaries int) *Cluster {
	c := &Cluster{moving: make(map[uint16]int)}
	for slot := range c.owner {
		c.owner[slot] = slot * primaries / crc16.SlotCount
	}
	return c
}

func (c *Cluster) add(index int, addr string, port int) *Node {
	n := &Node{cluster: c, index: index, addr: addr, port: port, data: make(map[string]string), scripts: make(map[string]bool)}
	c.nodes = append(c.nodes, n)
	return n
}

// Dial connects to a node of a cluster made by NewCluster.
func (c *Cluster) Dial(_ context.Context, _, addr string) (net.Conn, error) {
	for _, n := range c.nodes {
		if n.addr == addr && n.accept() {
			return Pipe(Ready(n.serve)), nil
		}
	}
	return nil, fmt.Errorf("fakeredis: %s: %w", addr, syscall.ECONNREFUSED)
}

// Node returns a node by its index.
func (c *Cluster) Node(i int) *Node { return c.nodes[i] }

// Nodes returns all nodes.
func (c *Cluster) Nodes() []*Node { return c.nodes }

// Addrs returns the addresses of all nodes.
func (c *Cluster) Addrs() []string {
	addrs := make([]string, len(c.nodes))
	for i, n := range c.nodes {
		addrs[i] = n.Addr()
	}
	return addrs
}

// Tag returns the k-th hash tag, counting from 0, of those whose slots node i owns at the moment.
func (c *Cluster) Tag(i, k int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n := 0; ; n++ {
		tag := fmt.Sprint("t", n)
		if c.owner[crc16.Slot(tag)] != i {
			continue
		}
		if k == 0 {
			return tag
		}
		k--
	}
}

// Owner is the index of the node that owns a slot, negative if there is none.
func (c *Cluster) Owner(slot uint16) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owner[slot]
}

// Give makes node i the owner of a slot, whose migration it ends; a negative i leaves the slot without owner. Keys stay
// where they are.
func (c *Cluster) Give(slot uint16, i int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owner[slot] = max(i, nobody)
	delete(c.moving, slot)
}

// Migrate opens a slot for its migration from its owner to node i, in the classic way: no key has moved yet.
func (c *Cluster) Migrate(slot uint16, i int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moving[slot] = i
}

// Leave takes a node that owns no slot out of the topology. It goes on serving those who know it.
func (c *Cluster) Leave(i int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.nodes[i].left = true
}

// Views is how often a node was asked for the topology.
func (c *Cluster) Views() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.views
}
