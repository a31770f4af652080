package routecache

import "context"

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
	if err := checkPairs(pairs, c.resolution); err != nil {
		return err
	}
	g := c.gets.Get().(*get)
	defer c.gets.Put(g)
	layouts := c.layouts.now()
	g.prepare(layouts.layout, pairs)
	g.out = out
	err := c.client.Get(ctx, g)
	if err != nil {
		g.fail(err)
		err = g.partial(err)
	}
	if old := layouts.before(); old != nil {
		c.getOld(ctx, g, old)
	}
	for _, d := range g.again {
		out[d.pair] = out[g.first[d.item]]
	}
	c.counts.got(g)
	g.release()
	return err
}

// get is the query of a Get and where its answers go.
type get struct {
	query
	out                   []Answer
	hits, misses, corrupt int // items
}

// Reply parses the value of item k into the caller's slice.
func (g *get) Reply(k int, value []byte) {
	answer := &g.out[g.first[k]]
	if value == nil {
		*answer = Answer{State: Miss}
		g.misses++
		return
	}
	estimate, err := ParseEstimate(value)
	if err != nil {
		*answer = Answer{State: Miss}
		g.misses++
		g.corrupt++
		return
	}
	*answer = Answer{Estimate: estimate, State: Hit}
	g.hits++
}
