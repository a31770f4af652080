package main

import (
	"context"
	"flag"
	"fmt"
	"slices"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/routecache"
)

// fanout asks for one batch in five ways and has the servers count the commands.
type fanout struct {
	keys, chunk, tags, workers, primaries, rounds, group int
}

func newFanout() *fanout { return &fanout{} }

func (x *fanout) about() string {
	return "one batch untagged, tagged in chunks over goroutines, tagged and grouped: who waits for whom"
}

func (x *fanout) levers(f *flag.FlagSet) {
	f.IntVar(&x.keys, "keys", 24, "keys of the batch, 1 to 100000; 24, or a multiple, on three tags are put in an order whose\nchunks of 4 touch 3, 3, 3, 2, 2 and 3 slots")
	f.IntVar(&x.chunk, "chunk", 4, "keys of a chunk, 1 to 10000")
	f.IntVar(&x.tags, "tags", 1, "tags per primary, 1 to 64")
	f.IntVar(&x.workers, "workers", 8, "goroutines that ask for chunks, 1 to 16")
	f.IntVar(&x.primaries, "primaries", defaultPrimaries, "primaries of a throwaway cluster, 1 to 12")
	f.IntVar(&x.rounds, "rounds", 8, "turns of each way, 1 to 1000")
	f.IntVar(&x.group, "group", 20, "batches of a turn, 1 to 10000")
}

func (x *fanout) check() error {
	return firstError(within("keys", x.keys, 1, 100_000), within("chunk", x.chunk, 1, 10_000), within("tags", x.tags, 1, 64),
		within("workers", x.workers, 1, 16), within("primaries", x.primaries, 1, 12), within("rounds", x.rounds, 1, 1000),
		within("group", x.group, 1, 10_000))
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// missionOrder names 24 keys by their slots such that chunks of 4 touch 3, 3, 3, 2, 2 and 3 slots.
var missionOrder = []int{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 0, 1, 0, 2, 2, 2, 1, 2, 1, 0}

// fanoutResult is what was measured.
type fanoutResult struct {
	Cluster    string `json:"cluster"`
	Keys       int    `json:"keys"`
	Chunk      int    `json:"chunk"`
	Tags       int    `json:"tags"`
	Order      string `json:"order"`       // "mission" or "asked"
	ChunkSlots []int  `json:"chunk_slots"` // slots that each chunk touches
	Untagged   int    `json:"untagged_slots"`
	// Commands by way, all primaries together; those of Ways by primary.
	Gets    int          `json:"gets"`
	PerSlot int          `json:"per_slot"`
	Chunked int          `json:"chunked"`
	Grouped int          `json:"grouped"`
	Ways    []fanoutCost `json:"ways"`
	Nodes   []string     `json:"primaries"`
}

type fanoutCost struct {
	cost
	Spans []span `json:"spans"` // of a run of about median duration; of many commands every so manieth
}

func (x *fanout) run(ctx context.Context, l *lab) (result, error) {
	c, err := l.cluster(ctx, x.primaries)
	if err != nil {
		return nil, err
	}
	defer c.clean(ctx) // again in the end, where its error counts
	var spans recorder
	cache, err := c.cache(ctx, x.tags, &batch.Trace{NodeDone: func(n batch.NodeInfo) { spans.node(c, n) }})
	if err != nil {
		return nil, err
	}
	l.say("fanout: %s in five ways", plural(x.keys, "key", "keys"))
	r := &fanoutResult{Cluster: c.String(), Keys: x.keys, Chunk: x.chunk, Tags: x.tags}
	b, err := x.batch(c, cache, r)
	if err != nil {
		return nil, err
	}
	b.spans = &spans
	for _, s := range []*items{b.untagged, b.tagged} {
		if err := c.write(ctx, s); err != nil {
			return nil, err
		}
	}
	if err := x.measure(ctx, c, b, r); err != nil {
		return nil, err
	}
	return r, nil
}

// batch makes the keys and says in r what they are like.
func (x *fanout) batch(c *cluster, cache *routecache.Cache, r *fanoutResult) (*fanoutBatch, error) {
	layout := cache.Layout()
	anchors := layout.Anchors().List
	n := x.keys
	if r.Order = "asked"; len(anchors) == 3 && x.keys%len(missionOrder) == 0 {
		r.Order, n = "mission", 2*x.keys+200 // enough that each tag has a third of x.keys
	}
	pairs, estimates, err := workload.CellPairs(n, resolution, c.seed)
	if err != nil {
		return nil, err
	}
	if r.Order == "mission" {
		pairs, estimates = inOrder(layout, pairs, estimates, x.keys)
	}
	b := &fanoutBatch{cluster: c, cache: cache, pairs: pairs, chunk: x.chunk, workers: x.workers, out: make([]routecache.Answer, len(pairs))}
	if b.untagged, err = newItems(c.untagged(pairs), estimates); err != nil {
		return nil, err
	}
	if b.tagged, err = newItems(tagged(layout, pairs), estimates); err != nil {
		return nil, err
	}
	r.Untagged = distinct(b.untagged.slots)
	for chunk := range slices.Chunk(b.tagged.slots, x.chunk) {
		r.ChunkSlots = append(r.ChunkSlots, distinct(chunk))
	}
	for _, node := range c.nodes {
		r.Nodes = append(r.Nodes, node.addr)
	}
	return b, nil
}

// inOrder picks n of the pairs so that their tags follow missionOrder over and over.
func inOrder(layout *routecache.Layout, pairs []routecache.Pair, estimates []routecache.Estimate, n int) (p []routecache.Pair, e []routecache.Estimate) {
	var of [3][]int
	for i, pair := range pairs {
		a := layout.Anchor(pair)
		of[a] = append(of[a], i)
	}
	for k := range n {
		a := missionOrder[k%len(missionOrder)]
		i := of[a][0]
		of[a] = of[a][1:]
		p, e = append(p, pairs[i]), append(e, estimates[i])
	}
	return p, e
}

func distinct(slots []uint16) int {
	set := map[uint16]struct{}{}
	for _, s := range slots {
		set[s] = struct{}{}
	}
	return len(set)
}

// keptSpans bounds the spans of a way in the result.
const keptSpans = 300

// thin keeps at most n of the spans, evenly.
func thin(spans []span, n int) []span {
	if len(spans) <= n {
		return spans
	}
	kept := make([]span, n)
	for i := range kept {
		kept[i] = spans[i*len(spans)/n]
	}
	return kept
}

// tracedRuns is how many runs are looked at to find one of about median duration.
const tracedRuns = 9

func (x *fanout) measure(ctx context.Context, c *cluster, b *fanoutBatch, r *fanoutResult) error {
	ways := []way{
		{name: "untagged, a GET per key", run: b.gets},
		{name: "untagged, an MGET per slot", run: b.perSlot},
		{name: fmt.Sprintf("tagged, chunks of %d over goroutines", x.chunk), run: b.chunked},
		{name: "tagged and grouped", run: b.together},
		{name: "tagged and grouped, the library", run: b.grouped},
	}
	costs, err := c.turns(ctx, ways, x.rounds, x.group)
	if err != nil {
		return err
	}
	for i, w := range ways {
		spans, err := b.spans.typical(func() error { return w.run(ctx) })
		if err != nil {
			return err
		}
		r.Ways = append(r.Ways, fanoutCost{costs[i], thin(spans, keptSpans)})
	}
	r.Gets, r.PerSlot, r.Chunked, r.Grouped = costs[0].total(), costs[1].total(), costs[2].total(), costs[4].total()
	return nil
}
