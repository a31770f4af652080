package routecache

import (
	"context"
	"errors"

	"github.com/slotcast/slotcast/batch"
)

// Get asks for the estimates of the pairs: out[i] answers pairs[i]. Pairs that occur more than once are asked for once.
// Both slices belong to the caller and are not kept; they must have the same length.
//
// A *LengthError or *PairError says that the call makes no sense; then nothing has been sent and out is as it was. Any
// other error means that some pairs could not be answered: every out[i] is set, and those that nobody could answer are
// Failed. A *PartialError gives the causes.
//
// The call ends when ctx does, keeping the answers it has, or after Config.Batch.Conn.Timeout.
func (c *Cache) Get(ctx context.Context, pairs []Pair, out []Answer) error {
	if len(out) != len(pairs) {
		return &LengthError{Pairs: len(pairs), Other: len(out), Name: "answers"}
	}
	g := c.gets.Get(len(pairs))
	defer func() { c.gets.Put(g, g.room()) }()
	layouts := c.layouts.now()
	if err := g.prepare(layouts.layout, pairs); err != nil {
		g.release()
		return err
	}
	g.out = out
	g.hits, g.misses, g.corrupt = 0, 0, 0
	err := c.client.Get(ctx, g)
	if err != nil {
		g.fail(err)
		err = g.partial(err)
	}
	for i := range layouts.former {
		if old := &layouts.former[i]; g.misses > 0 && old.alive() {
			c.getOld(ctx, g, old.Layout)
		}
	}
	for _, d := range g.again {
		out[d.pair] = out[g.first[d.item]]
	}
	c.counts.got(g)
	g.out = nil
	g.release()
	return err
}

// fail marks what an error of the batch leaves without an answer.
func (g *get) fail(err error) {
	var some *batch.Error
	if !errors.As(err, &some) {
		clear(g.out)
		return
	}
	for k := range some.Items {
		g.out[g.first[k]] = Answer{}
	}
}

// got counts the answers of a call.
func (c *counters) got(g *get) {
	var n [Hit + 1]int64
	n[Hit], n[Miss] = int64(g.hits), int64(g.misses)
	n[Failed] = int64(len(g.first) - g.hits - g.misses)
	for _, d := range g.again {
		n[g.out[d.pair].State]++
	}
	c.hits.Add(n[Hit])
	c.misses.Add(n[Miss])
	c.failed.Add(n[Failed])
	c.corrupt.Add(int64(g.corrupt))
}

// get is the query of a Get and where its answers go.
type get struct {
	query
	out                   []Answer
	hits, misses, corrupt int // items
}

// Reply parses the value of item k into the caller's slice.
func (g *get) Reply(k int, value []byte) { g.Replies([]int32{int32(k)}, [][]byte{value}) }

// Replies parses the values of the items into the caller's slice.
func (g *get) Replies(items []int32, values [][]byte) {
	hits := 0
	for i, value := range values {
		answer := &g.out[g.first[items[i]]]
		if value == nil {
			*answer = Answer{State: Miss}
			g.misses++
			continue
		}
		if !parseTenths(&answer.Estimate, value) && !g.parseOther(answer, value) {
			continue
		}
		answer.State = Hit
		hits++
	}
	g.hits += hits
}

// parseOther parses what parseTenths does not take, and reports whether it is an estimate.
func (g *get) parseOther(answer *Answer, value []byte) bool {
	estimate, err := parseOther(value)
	if err != nil {
		*answer = Answer{State: Miss}
		g.misses++
		g.corrupt++
		return false
	}
	answer.Estimate = estimate
	return true
}
