package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/routecache"
)

// write stores the same estimates in each way there is, and crashes in the middle of each.
type write struct {
	keys, tags, primaries, rounds, group int
}

func newWrite() *write { return &write{} }

func (x *write) about() string {
	return "SET EX, MSET and EXPIRE, EVALSHA, MSETEX where it is safe: what they cost, and what a crash leaves"
}

func (x *write) levers(f *flag.FlagSet) {
	f.IntVar(&x.keys, "keys", 3000, "keys of the batch, 30 to 100000")
	f.IntVar(&x.tags, "tags", 1, "tags per primary, 1 to 64")
	f.IntVar(&x.primaries, "primaries", defaultPrimaries, "primaries of a throwaway cluster, 1 to 12")
	f.IntVar(&x.rounds, "rounds", 8, "turns of each way, 1 to 1000")
	f.IntVar(&x.group, "group", 10, "batches of a turn, 1 to 10000")
}

func (x *write) check() error {
	return firstError(within("keys", x.keys, 30, 100_000), within("tags", x.tags, 1, 64), within("primaries", x.primaries, 1, 12),
		within("rounds", x.rounds, 1, 1000), within("group", x.group, 1, 10_000))
}

// writeResult is what was measured.
type writeResult struct {
	Cluster string      `json:"cluster"`
	Keys    int         `json:"keys"`
	Tags    int         `json:"tags"`
	MSETEX  msetexState `json:"msetex"`
	Ways    []cost      `json:"ways"`
	Crashes []crash     `json:"crashes"`
}

func (x *write) run(ctx context.Context, l *lab) (result, error) {
	c, err := l.cluster(ctx, x.primaries)
	if err != nil {
		return nil, err
	}
	defer c.clean(ctx) // again in the end, where its error counts
	pairs, estimates, err := workload.CellPairs(x.keys, resolution, c.seed)
	if err != nil {
		return nil, err
	}
	var bytes byteCount
	cache, err := c.cache(ctx, x.tags, bytes.trace())
	if err != nil {
		return nil, err
	}
	r := &writeResult{Cluster: c.String(), Keys: x.keys, Tags: x.tags}
	if r.MSETEX, err = c.probeMSETEX(ctx); err != nil {
		return nil, err
	}
	l.say("write: %s in each way; MSETEX is %s", plural(x.keys, "key", "keys"), r.MSETEX)
	b, err := newWriteBatch(c, cache, &bytes, pairs, estimates)
	if err != nil {
		return nil, err
	}
	c.will(b.items.keys)
	ways := b.ways(r.MSETEX)
	if r.Ways, err = c.turns(ctx, ways, x.rounds, x.group); err != nil {
		return nil, err
	}
	for i, w := range ways {
		if r.Ways[i].BytesOut, err = bytes.of(ctx, w); err != nil {
			return nil, err
		}
		if err := b.verify(ctx, w.name); err != nil {
			return nil, err
		}
	}
	l.say("write: a client dies in the middle of each way")
	r.Crashes, err = b.crashes(ctx)
	return r, err
}

// verify makes sure that a way has stored all and left nothing for ever.
func (b *writeBatch) verify(ctx context.Context, name string) error {
	there, forever, err := b.cluster.lifetimes(ctx, b.items.keys)
	if err != nil {
		return err
	}
	if there != len(b.items.keys) || forever > 0 {
		return fmt.Errorf("%s: %d of %d keys are there, %d of them for ever", name, there, len(b.items.keys), forever)
	}
	return b.cluster.read(ctx, b.items)
}

// newWriteBatch groups the pairs by slot.
func newWriteBatch(c *cluster, cache *routecache.Cache, bytes *byteCount, pairs []routecache.Pair, estimates []routecache.Estimate) (*writeBatch, error) {
	s, err := newItems(tagged(cache.Layout(), pairs), estimates)
	if err != nil {
		return nil, err
	}
	return &writeBatch{cluster: c, cache: cache, pairs: pairs, estimates: estimates, items: s, bytes: bytes, groups: c.groupAll(s)}, nil
}
