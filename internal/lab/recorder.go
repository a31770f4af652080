package main

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/slotcast/slotcast/batch"
)

// A span is one command's life as its client sees it, in microseconds from the beginning of the run: from sending it, or the
// pipeline that it is in, to having its reply.
type span struct {
	Node int     `json:"primary"`
	From float64 `json:"from_us"`
	To   float64 `json:"to_us"`
}

// A recorder keeps spans while it is on. It is safe for concurrent use.
type recorder struct {
	mu    sync.Mutex
	on    bool
	begin time.Time
	spans []span
}

// now is the time since the beginning of the run.
func (r *recorder) now() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return micros(time.Since(r.begin))
}

// add adds a span that ends now.
func (r *recorder) add(node int, from float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.on {
		r.spans = append(r.spans, span{node, from, micros(time.Since(r.begin))})
	}
}

// node adds what a batch did with a node.
func (r *recorder) node(c *cluster, info batch.NodeInfo) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range c.nodes {
		if r.on && n.addr == info.Addr {
			to := micros(time.Since(r.begin))
			r.spans = append(r.spans, span{n.index, max(to-micros(info.Total-info.Wait), 0), to})
		}
	}
}

// typical runs a function a few times and returns the spans of the run with the median duration, by primary and beginning.
func (r *recorder) typical(run func() error) ([]span, error) {
	type recorded struct {
		took  time.Duration
		spans []span
	}
	var all []recorded
	for range tracedRuns {
		r.mu.Lock()
		r.on, r.begin, r.spans = true, time.Now(), nil
		r.mu.Unlock()
		err := run()
		r.mu.Lock()
		r.on = false
		all = append(all, recorded{time.Since(r.begin), r.spans})
		r.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b recorded) int { return cmp.Compare(a.took, b.took) })
	spans := all[len(all)/2].spans
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return spans, nil
}
