package batch

import (
	"sync/atomic"

	"github.com/slotcast/slotcast/conn"
)

// Stats are counts since Open. Those of a node begin when it is met, and end when it leaves the cluster.
type Stats struct {
	Batches    int64 // calls of Get and Set
	Items      int64
	Failed     int64 // items that nobody could answer
	Moved      int64 // groups of keys that were answered MOVED
	Asked      int64 // groups of keys that were answered ASK
	TryAgains  int64 // groups of keys that were answered TRYAGAIN
	NoScripts  int64 // groups of keys that were answered NOSCRIPT
	Waits      int64 // groups of keys that waited before they were sent again
	Lost       int64 // connections lost with a batch on them
	Refreshes  int64 // times the topology was asked
	Topologies int64 // times it had changed

	Nodes []NodeStats
}

// NodeStats is about the connections to one node.
type NodeStats struct {
	Addr string
	conn.PoolStats
}

type counters struct {
	batches, items, failed, moved, asked, tryAgains, noScripts, waits, lost, refreshes, topologies atomic.Int64
}

// Stats counts what happened since Open.
func (c *Client) Stats() Stats {
	s := Stats{
		Batches:    c.counts.batches.Load(),
		Items:      c.counts.items.Load(),
		Failed:     c.counts.failed.Load(),
		Moved:      c.counts.moved.Load(),
		Asked:      c.counts.asked.Load(),
		TryAgains:  c.counts.tryAgains.Load(),
		NoScripts:  c.counts.noScripts.Load(),
		Waits:      c.counts.waits.Load(),
		Lost:       c.counts.lost.Load(),
		Refreshes:  c.counts.refreshes.Load(),
		Topologies: c.counts.topologies.Load(),
	}
	c.nodes.each(func(n *node) { s.Nodes = append(s.Nodes, NodeStats{n.addr, n.pool.Stats()}) })
	return s
}
