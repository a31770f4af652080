package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/routecache"
)

// tags reads the same batch with more and more tags per primary.
type tags struct {
	list                                 string
	numbers                              []int
	keys, hits, primaries, rounds, group int
}

func newTags() *tags { return &tags{} }

func (x *tags) about() string { return "1, 4, 16, 64 tags per primary: commands, time and balance" }

func (x *tags) levers(f *flag.FlagSet) {
	f.StringVar(&x.list, "tags", "1,4,16,64", "numbers of tags per primary, 1 to 256 each")
	f.IntVar(&x.keys, "keys", 3000, "keys of the batch, 100 to 100000")
	f.IntVar(&x.hits, "hits", 80, "per cent of the keys that are in the cache, 0 to 100")
	f.IntVar(&x.primaries, "primaries", defaultPrimaries, "primaries of a throwaway cluster, 1 to 12")
	f.IntVar(&x.rounds, "rounds", 8, "turns of each number, 1 to 1000")
	f.IntVar(&x.group, "group", 20, "batches of a turn, 1 to 10000")
}

func (x *tags) check() (err error) {
	if x.numbers, err = numbers("tags", x.list, 1, 256); err != nil {
		return err
	}
	return firstError(within("keys", x.keys, 100, 100_000), within("hits", x.hits, 0, 100), within("primaries", x.primaries, 1, 12),
		within("rounds", x.rounds, 1, 1000), within("group", x.group, 1, 10_000))
}

// tagsResult is what was measured.
type tagsResult struct {
	Cluster string     `json:"cluster"`
	Keys    int        `json:"keys"`
	Hits    int        `json:"hits"` // keys that are in the cache
	Tags    []tagsCost `json:"tags"`
}

type tagsCost struct {
	cost
	Tags      int   `json:"tags"`
	ByPrimary []int `json:"keys_by_primary"`
}

func (x *tags) run(ctx context.Context, l *lab) (result, error) {
	c, err := l.cluster(ctx, x.primaries)
	if err != nil {
		return nil, err
	}
	defer c.clean(ctx) // again in the end, where its error counts
	pairs, estimates, err := workload.CellPairs(x.keys, resolution, c.seed)
	if err != nil {
		return nil, err
	}
	r := &tagsResult{Cluster: c.String(), Keys: x.keys}
	known := func(i int) bool { return i%100 < x.hits }
	var written []routecache.Pair
	var values []routecache.Estimate
	for i := range pairs {
		if known(i) {
			written, values = append(written, pairs[i]), append(values, estimates[i])
		}
	}
	r.Hits = len(written)
	l.say("tags: %s with %s tags per primary", plural(x.keys, "key", "keys"), x.list)
	var ways []way
	for _, n := range x.numbers {
		cache, err := c.cache(ctx, n, nil)
		var full *routecache.WalkError
		if errors.As(err, &full) {
			return nil, &refusal{err}
		}
		if err != nil {
			return nil, err
		}
		c.will(tagged(cache.Layout(), written))
		if len(written) > 0 {
			if err := cache.Set(ctx, written, values, ttl); err != nil {
				return nil, err
			}
		}
		k := tagsCost{Tags: n, ByPrimary: make([]int, len(c.nodes))}
		for _, p := range pairs {
			k.ByPrimary[c.nodeAt(cache.Layout().Anchors().List[cache.Layout().Anchor(p)].Slot).index]++
		}
		r.Tags = append(r.Tags, k)
		out := make([]routecache.Answer, len(pairs))
		ways = append(ways, way{name: plural(n, "tag", "tags"), run: func(ctx context.Context) error {
			if err := cache.Get(ctx, pairs, out); err != nil {
				return err
			}
			for i, a := range out {
				if known(i) != (a.State == routecache.Hit) || known(i) && a.Estimate != estimates[i] {
					return fmt.Errorf("pair %d: %v", i, a)
				}
			}
			return nil
		}})
	}
	costs, err := c.turns(ctx, ways, x.rounds, x.group)
	if err != nil {
		return nil, err
	}
	for i := range costs {
		r.Tags[i].cost = costs[i]
	}
	return r, nil
}
