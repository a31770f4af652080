package batch

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/slotcast/slotcast/internal/spare"
	"github.com/slotcast/slotcast/topology"
)

// A Client reads and writes batches of keys in a Redis Cluster. It is safe for concurrent use.
type Client struct {
	cfg     Config
	tracker *topology.Tracker
	nodes   nodes
	view    atomic.Pointer[view]
	counts  counters
	moving  migrating
	ops     *spare.List[op]
	closed  atomic.Bool

	// refreshed is when the topology was last asked, in nanoseconds since the epoch: a slot that is still uncovered
	// just after is reported at once instead of being asked for again.
	refreshed atomic.Int64
}

// usualItems is for how many items the arrays of an op may be made that is kept for good: 260 KiB.
const usualItems = 1 << 15

// Open asks the seeds for the shape of the cluster and returns a Client for it. It opens no other connection. Errors are
// those of the topology package: *topology.SeedsError when no seed answered, topology.ErrNotCluster when one answered
// that is not in cluster mode.
func Open(ctx context.Context, cfg Config) (*Client, error) {
	if len(cfg.Addrs) == 0 {
		return nil, errors.New("batch: Config.Addrs is empty: name at least one node of the cluster")
	}
	c := &Client{cfg: cfg.withDefaults()}
	c.nodes.cfg = &c.cfg.Conn
	c.ops = spare.NewList(usualItems, func() *op { return newOp(c) })
	c.tracker = topology.NewTracker(topology.Config{
		Seeds:     c.cfg.Addrs,
		Ask:       c.ask,
		MapAddr:   c.cfg.MapAddr,
		Period:    c.cfg.RefreshPeriod,
		OnChange:  c.changed,
		OnRefresh: func(topology.RefreshInfo) { c.refreshed.Store(time.Now().UnixNano()); c.counts.refreshes.Add(1) },
		Logger:    c.cfg.Logger,
	})
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Conn.Timeout)
	defer cancel()
	if err := c.tracker.Refresh(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("batch: opening the cluster at %v: %w", cfg.Addrs, err), c.Close())
	}
	c.tracker.Start()
	return c, nil
}

// Close closes all connections that are not in use and waits for what runs in the background. Calls under way keep the
// connections they hold, and fail where they need another one.
func (c *Client) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	c.tracker.Close()
	c.nodes.close()
	return nil
}

// Topology is the map of the cluster as known now.
func (c *Client) Topology() *topology.Map { return c.tracker.Map() }

// Refresh asks the cluster for its topology and returns when the map is newer than the call.
func (c *Client) Refresh(ctx context.Context) error { return c.tracker.Refresh(ctx) }

// Get asks for all items, each key at the primary that owns its slot, in one write per primary, and gives the answers
// to items.Reply. It returns nil when every item was answered, else an *Error that says which were not and why: the
// answers given to items.Reply stand in any case. Where nothing could be tried it is ErrClosed or the error of ctx.
//
// The call ends when ctx does, or after Config.Conn.Timeout.
func (c *Client) Get(ctx context.Context, items Reads) error {
	o := c.ops.Get(items.Len())
	o.reads.begin(items)
	err := o.do(ctx, o.reads.items, &o.reads, c.cfg.MaxKeys)
	o.reads.end()
	c.ops.Put(o, cap(o.order))
	return err
}

// Set stores all items with the same time to live, in whole milliseconds and at least one, in one write per primary; it
// must be above zero. It returns nil when every item was stored, else an *Error that says which may not have been and
// why. Where nothing could be tried it is ErrClosed or the error of ctx.
//
// The items are a set, not a sequence: if a key occurs twice, either of its values may be the one that stays. The last
// writer of a key wins, and a write whose outcome is unknown may be sent again: a value may replace one that somebody
// else stored in the meantime, for the time to live at most.
//
// The call ends when ctx does, or after Config.Conn.Timeout.
func (c *Client) Set(ctx context.Context, items Writes, ttl time.Duration) error {
	if ttl <= 0 {
		return fmt.Errorf("batch: time to live %v is not above zero", ttl)
	}
	o := c.ops.Get(items.Len())
	o.writes.begin(items, max(ttl.Milliseconds(), 1))
	err := o.do(ctx, o.writes.items, &o.writes, c.cfg.MaxSetKeys)
	o.writes.end()
	c.ops.Put(o, cap(o.order))
	return err
}

// current is the view of the newest map.
func (c *Client) current() *view {
	m := c.tracker.Map()
	if v := c.view.Load(); v != nil && v.m == m {
		return v
	}
	v := c.nodes.viewOf(m)
	c.view.Store(v)
	return v
}

func (c *Client) changed(old, new *topology.Map) {
	c.nodes.retire(c.tracker.Map)
	c.counts.topologies.Add(1)
	if t := c.cfg.Trace; t != nil && t.TopologyChanged != nil {
		t.TopologyChanged(old, new)
	}
}
