package batch

import (
	"sync"
	"sync/atomic"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/topology"
)

// A node is one address that batches talk to.
type node struct {
	addr string
	id   int32 // counts from 0; never given twice by one Client
	pool *conn.Pool

	// scripted tells that the node has been seen to have the script, since when it has not been seen to lack it. It is
	// a hint: scripts vanish on a restart, a failover or SCRIPT FLUSH.
	scripted atomic.Bool
}

// nodes are all nodes of a Client, by address.
type nodes struct {
	cfg    *conn.Config
	mu     sync.Mutex
	byAddr map[string]*node
	next   int32
	closed bool
	tasks  sync.WaitGroup // pools being closed
}

// at returns the node with the given address, made if it is new.
func (n *nodes) at(addr string) *node {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.locked(addr)
}

func (n *nodes) locked(addr string) *node {
	if found, ok := n.byAddr[addr]; ok {
		return found
	}
	made := &node{addr: addr, id: n.next, pool: conn.NewPool(addr, n.cfg)}
	n.next++
	if n.closed {
		made.pool.Close() // its Get says so
		return made
	}
	if n.byAddr == nil {
		n.byAddr = make(map[string]*node)
	}
	n.byAddr[addr] = made
	return made
}

// retire closes the nodes that are not in the current map any more; calls that hold one of their connections finish with
// it. The map is asked for under the lock: a node that a view of a newer map means must not be closed for an older one's
// sake.
func (n *nodes) retire(current func() *topology.Map) {
	n.mu.Lock()
	defer n.mu.Unlock()
	keep := make(map[string]bool)
	for _, shard := range current().Shards() {
		keep[shard.Primary.Addr] = true
		for _, replica := range shard.Replicas {
			keep[replica.Addr] = true
		}
	}
	for addr, node := range n.byAddr {
		if !keep[addr] {
			delete(n.byAddr, addr)
			n.tasks.Go(node.pool.Close) // waits for dials under way, which the caller, maybe a batch, should not
		}
	}
}

func (n *nodes) close() {
	n.mu.Lock()
	all := n.byAddr
	n.byAddr, n.closed = nil, true
	n.mu.Unlock()
	for _, node := range all {
		node.pool.Close()
	}
	n.tasks.Wait()
}

// each calls f for every node.
func (n *nodes) each(f func(*node)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, node := range n.byAddr {
		f(node)
	}
}

// A view is a map of the cluster together with the nodes that its shards mean.
type view struct {
	m         *topology.Map
	primaries []*node // by shard; nil where the shard has no primary
}

func (n *nodes) viewOf(m *topology.Map) *view {
	n.mu.Lock()
	defer n.mu.Unlock()
	v := &view{m: m}
	for _, shard := range m.Shards() {
		var primary *node
		if shard.Primary.Addr != "" {
			primary = n.locked(shard.Primary.Addr)
		}
		v.primaries = append(v.primaries, primary)
	}
	return v
}

// owner is the node that owns slot, or nil.
func (v *view) owner(slot uint16) *node {
	shard := v.m.ShardOf(slot)
	if shard == topology.NoShard {
		return nil
	}
	return v.primaries[shard]
}
