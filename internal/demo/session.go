package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/routecache"
	"github.com/slotcast/slotcast/topology"
)

// ttl of everything the demo writes: should it be unable to clean up, the servers do.
const ttl = 10 * time.Minute

// session is a cache under a template of its own, and what has to be deleted in the end.
type session struct {
	cache    *routecache.Cache
	template string
	layout   *routecache.Layout // of the beginning
	conn     conn.Config
	written  []routecache.Pair
	traffic  traffic
}

func open(ctx context.Context, opts options) (*session, error) {
	var id [4]byte
	_, _ = rand.Read(id[:]) // never fails (crypto/rand)
	s := &session{template: "slotcast:demo:" + hex.EncodeToString(id[:]) + ":%d", conn: opts.conn}
	var err error
	s.cache, err = routecache.Open(ctx, routecache.Config{
		Addrs:      opts.addrs,
		Template:   s.template,
		Resolution: resolution,
		Tags:       opts.tags,
		Batch: batch.Config{
			Conn:   opts.conn,
			Trace:  &batch.Trace{NodeDone: s.traffic.add},
			Logger: slog.New(slog.DiscardHandler), // the demo says itself what went wrong
		},
	})
	if err != nil {
		return nil, err
	}
	s.layout = s.cache.Layout()
	return s, nil
}

// warmUp writes two pairs of each tag, so that every primary knows the script and has a connection. Two, as a single one
// would be written with SET.
func (s *session) warmUp(ctx context.Context, q *questions) error {
	perTag := make([]int, len(s.layout.Anchors().List))
	var pairs []routecache.Pair
	var estimates []routecache.Estimate
	for i, p := range q.written {
		if tag := s.layout.Anchor(p); perTag[tag] < 2 && !slices.Contains(pairs, p) {
			perTag[tag]++
			pairs, estimates = append(pairs, p), append(estimates, q.estimates[i])
		}
	}
	return s.write(ctx, pairs, estimates)
}

func (s *session) write(ctx context.Context, pairs []routecache.Pair, estimates []routecache.Estimate) error {
	s.written = append(s.written, pairs...)
	return s.cache.Set(ctx, pairs, estimates, ttl)
}

// keys returns the distinct keys of the pairs under a layout, by anchor.
func keys(layout *routecache.Layout, pairs []routecache.Pair) [][]string {
	byAnchor := make([][]string, len(layout.Anchors().List))
	seen := map[routecache.Pair]bool{}
	for _, p := range pairs {
		if seen[p] {
			continue
		}
		seen[p] = true
		a := layout.Anchor(p)
		byAnchor[a] = append(byAnchor[a], string(layout.AppendKey(nil, p)))
	}
	return byAnchor
}

// close deletes what was written and closes the cache.
func (s *session) close(ctx context.Context) error {
	return errors.Join(s.delete(ctx), s.cache.Close())
}

const (
	deletePause    = 50 * time.Millisecond // between two passes of delete
	deleteFailures = 3                     // passes that may fail: a slot may move between the look at the map and the command
)

// delete removes every key that may have been written. It makes two passes at least and goes on until one finds nothing: of a
// write that was interrupted, the last command may be in the server's socket still, to be run after the first pass.
func (s *session) delete(ctx context.Context) error {
	if len(s.written) == 0 {
		return nil
	}
	failures := 0
	for pass := 1; ; pass++ {
		n, err := s.deleteAll(ctx)
		if err == nil && n == 0 && pass > 1 {
			return nil
		}
		if err != nil {
			failures++
		}
		if failures == deleteFailures || ctx.Err() != nil {
			return fmt.Errorf("some keys of %s could not be deleted and expire in %v: %w", s.template, ttl, err)
		}
		select {
		case <-time.After(deletePause):
		case <-ctx.Done():
		}
	}
}

// deleteAll makes one pass over the keys of the layout of the beginning and, if the cluster changed its shape meanwhile, of
// those of the present one. It returns how many there were.
func (s *session) deleteAll(ctx context.Context) (n int, err error) {
	client := s.cache.Client()
	if err := client.Refresh(ctx); err != nil {
		return 0, err
	}
	layouts := []*routecache.Layout{s.layout}
	if now := s.cache.Layout(); now != s.layout {
		layouts = append(layouts, now)
	}
	m := client.Topology()
	for i, shard := range m.Shards() {
		if len(shard.Slots) == 0 {
			continue
		}
		removed, err := s.deleteAt(ctx, layouts, m, i)
		n += removed
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// deleteAt removes the keys that one shard of m holds.
func (s *session) deleteAt(ctx context.Context, layouts []*routecache.Layout, m *topology.Map, shard int) (n int, err error) {
	c, err := conn.Dial(ctx, m.Shards()[shard].Primary.Addr, &s.conn)
	if err != nil {
		return 0, err
	}
	p := primary{c}
	defer p.Close()
	for _, layout := range layouts {
		for a, keys := range keys(layout, s.written) {
			if int(m.ShardOf(layout.Anchors().List[a].Slot)) != shard {
				continue
			}
			removed, err := p.remove(ctx, keys)
			n += removed
			if err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// traffic adds up the bytes of batches by node. It is safe for concurrent use.
type traffic struct {
	mu    sync.Mutex
	bytes map[string]inOut
}

// inOut counts bytes as the client sees them.
type inOut struct{ out, in int64 }

func (t *traffic) add(n batch.NodeInfo) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bytes == nil {
		t.bytes = map[string]inOut{}
	}
	b := t.bytes[n.Addr]
	t.bytes[n.Addr] = inOut{b.out + n.BytesOut, b.in + n.BytesIn}
}

// take returns what was added since the last call, by address.
func (t *traffic) take() map[string]inOut {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := t.bytes
	t.bytes = nil
	return taken
}
