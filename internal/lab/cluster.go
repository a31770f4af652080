package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/routecache"
	"github.com/slotcast/slotcast/topology"
)

// ttl of everything that is written on purpose: should the lab be unable to clean up, the servers do.
const ttl = 10 * time.Minute

// A cluster is what experiments run against: the user's own or a throwaway one. It is for one goroutine, except where its
// methods say otherwise.
type cluster struct {
	addrs    []string
	conn     conn.Config
	own      bool // the user's
	prefix   string
	template routecache.Template
	software string // such as "redis 7.0.15"
	client   *batch.Client
	topology *topology.Map // of the beginning
	nodes    []*node       // the primaries with slots, in the order of the map
	nodeOf   []int         // by shard of the map; -1 without slots
	seed     uint64
	keys     map[string]struct{} // that may have been written and not been deleted
	ends     []func(context.Context) error
}

// openCluster starts a cluster, or opens the user's and makes sure that it can be used. An error is a refusal.
func openCluster(ctx context.Context, o *options, primaries int) (c *cluster, err error) {
	c = &cluster{addrs: o.addrs, conn: o.conn, own: len(o.addrs) > 0, seed: o.seed, keys: map[string]struct{}{}}
	defer func() {
		if err != nil {
			err = &refusal{errors.Join(err, c.close(ctx))}
		}
	}()
	c.prefix = fmt.Sprintf("slotcast:lab:%d", o.seed)
	if c.template, err = routecache.ParseTemplate(c.prefix + ":%d"); err != nil {
		return c, err
	}
	if !c.own {
		launched, err := redistest.Launch(ctx, redistest.Config{Primaries: primaries})
		if err != nil {
			return c, err
		}
		c.onClose(func(context.Context) error { return launched.Close() })
		c.addrs = launched.Addrs()
	}
	for _, step := range []func(context.Context) error{c.connect, c.dialNodes, c.tryWriting, c.lock} {
		if err := step(ctx); err != nil {
			return c, err
		}
	}
	c.onClose(c.clean)
	return c, nil
}

func (c *cluster) connect(ctx context.Context) (err error) {
	c.client, err = batch.Open(ctx, batch.Config{Addrs: c.addrs, Conn: c.conn, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	c.onClose(func(context.Context) error { return c.client.Close() })
	c.topology = c.client.Topology()
	if n := c.topology.Covered(); n < crc16.SlotCount {
		return fmt.Errorf("the cluster serves %s of %s slots only", count(n), count(crc16.SlotCount))
	}
	return nil
}

func (c *cluster) dialNodes(ctx context.Context) (err error) {
	for _, shard := range c.topology.Shards() {
		c.nodeOf = append(c.nodeOf, -1)
		if len(shard.Slots) == 0 {
			continue
		}
		n, err := dialNode(ctx, len(c.nodes), shard, &c.conn)
		if err != nil {
			return err
		}
		c.onClose(func(context.Context) error { return n.close() })
		c.nodeOf[len(c.nodeOf)-1] = n.index
		c.nodes = append(c.nodes, n)
		if _, err := n.load(ctx); err != nil { // what every experiment needs
			return err
		}
	}
	c.software, err = c.nodes[0].software(ctx)
	return err
}

// tryWriting writes a key to every primary and deletes it.
func (c *cluster) tryWriting(ctx context.Context) error {
	anchors, err := routecache.Walk(c.topology, c.template, 1)
	if err != nil {
		return err
	}
	for _, a := range anchors.List {
		n := c.nodeAt(a.Slot)
		key := string(c.template.AppendTag(nil, a.N)) + "try"
		if _, err := n.Do(ctx, "SET", key, "1", "PX", "1000"); err != nil {
			return fmt.Errorf("cannot write to %s: %w", n.addr, err)
		}
		if _, err := n.Do(ctx, "UNLINK", key); err != nil {
			return fmt.Errorf("cannot delete at %s: %w", n.addr, err)
		}
	}
	return nil
}

// lock keeps two labs of one seed, which have the same keys, out of one cluster.
func (c *cluster) lock(ctx context.Context) error {
	if !c.own {
		return nil
	}
	key := c.prefix + ":lock"
	n := c.nodeAt(crc16.Slot(key))
	v, err := n.Do(ctx, "SET", key, "1", "NX", "PX", fmt.Sprint(ttl.Milliseconds()))
	if err != nil {
		return fmt.Errorf("cannot write to %s: %w", n.addr, err)
	}
	if v.IsNull() {
		return fmt.Errorf("another lab of -seed %d is at work in this cluster: choose another seed (or delete %s if it has died)", c.seed, key)
	}
	c.onClose(func(ctx context.Context) error {
		_, err := n.Do(ctx, "UNLINK", key)
		return err
	})
	return nil
}

// nodeAt is the primary of a slot.
func (c *cluster) nodeAt(slot uint16) *node { return c.nodes[c.nodeOf[c.topology.ShardOf(slot)]] }

func (c *cluster) onClose(f func(context.Context) error) { c.ends = append(c.ends, f) }

// close deletes what was written and ends what was begun, also after ctx has ended.
func (c *cluster) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTime)
	defer cancel()
	var errs []error
	for len(c.ends) > 0 {
		last := len(c.ends) - 1
		errs = append(errs, c.ends[last](ctx))
		c.ends = c.ends[:last]
	}
	return left(errs...)
}

// cache opens a route cache in the cluster; it closes with it.
func (c *cluster) cache(ctx context.Context, tags int, trace *batch.Trace) (*routecache.Cache, error) {
	cache, err := routecache.Open(ctx, routecache.Config{
		Addrs:      c.addrs,
		Template:   c.template.String(),
		Resolution: resolution,
		Tags:       tags,
		Batch:      batch.Config{Conn: c.conn, Trace: trace, Logger: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		return nil, err
	}
	c.onClose(func(context.Context) error { return cache.Close() })
	return cache, nil
}

// resolution of the cells where nothing else is said: about 350 m across.
const resolution = 9

// String describes the cluster in a line.
func (c *cluster) String() string {
	whose := "throwaway cluster"
	if c.own {
		whose = "cluster at " + strings.Join(c.addrs, ", ")
	}
	return fmt.Sprintf("%s, %s, %s", whose, c.software, plural(len(c.nodes), "primary", "primaries"))
}
