package topology

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/slotcast/slotcast/resp"
)

const (
	// widest is how many nodes are asked at once. The first is asked alone, which mostly is enough; each step asks twice
	// as many as the one before, so that a cluster of dead nodes costs few timeouts.
	widest = 16
	// enoughOpinions ends the search for consent.
	enoughOpinions = 7
	// enoughRefusals is how many nodes may refuse for lack of permission before the rest is spared the question.
	enoughRefusals = 2
)

// round is one refresh under way.
type round struct {
	t        *Tracker
	old      *Map // when it began
	queue    *queue
	opinions []*opinion
	failures []*NodeError
	refusals int
	calls    int
}

// refresh asks nodes until there is a view to believe, and publishes it.
func (t *Tracker) refresh() error {
	start := time.Now()
	r := &round{t: t, old: t.current.Load()}
	r.queue = t.candidates(r.old)
	chosen := r.search()
	info := RefreshInfo{Calls: r.calls}
	if chosen == nil {
		info.Err = r.failure()
		if info.Err != ErrClosed {
			t.cfg.Logger.Warn("topology: refresh failed, the map stays as it was", "err", info.Err)
		}
	} else {
		info.Addr = chosen.from.addr
		t.publish(chosen)
	}
	info.Duration = time.Since(start)
	if t.cfg.OnRefresh != nil && info.Err != ErrClosed {
		t.cfg.OnRefresh(info)
	}
	return info.Err
}

func (r *round) search() *opinion {
	for width := 1; r.refusals < enoughRefusals; width = min(2*width, widest) {
		wave := r.queue.take(width)
		if len(wave) == 0 || r.t.ctx.Err() != nil {
			break
		}
		r.ask(wave)
		if o := r.verdict(); o != nil {
			return o
		}
		if r.kin() >= enoughOpinions {
			break
		}
	}
	if r.t.ctx.Err() != nil {
		return nil
	}
	return r.lastResort()
}

// ask asks the candidates at once and waits for all.
func (r *round) ask(wave []candidate) {
	inquiries := make([]inquiry, len(wave))
	opinions := make([]*opinion, len(wave))
	errs := make([]error, len(wave))
	var asking sync.WaitGroup
	for i, c := range wave {
		inquiries[i] = inquiry{t: r.t, from: c}
		asking.Go(func() { opinions[i], errs[i] = inquiries[i].ask(r.t.ctx) })
	}
	asking.Wait()
	for i, c := range wave {
		r.calls += inquiries[i].calls
		if errs[i] != nil {
			r.failed(c, errs[i])
			continue
		}
		r.t.trust(c.addr)
		r.opinions = append(r.opinions, opinions[i])
		r.widen(opinions[i])
	}
}

func (r *round) failed(c candidate, err error) {
	r.failures = append(r.failures, &NodeError{Addr: c.addr, Err: err})
	if errors.As(err, new(*PermissionError)) {
		r.refusals++
	}
	if !errors.As(err, new(*resp.Error)) && r.t.ctx.Err() == nil { // an error reply is a proof of life
		r.t.mu.Lock()
		r.t.suspects.add(c.addr, time.Now())
		r.t.mu.Unlock()
	}
}

func (t *Tracker) trust(addr string) {
	t.mu.Lock()
	t.suspects.clear(addr)
	t.mu.Unlock()
}

// failure returns why no view was chosen.
func (r *round) failure() error {
	if r.t.ctx.Err() != nil {
		return ErrClosed
	}
	if len(r.opinions) == 0 {
		return &SeedsError{Nodes: r.failures}
	}
	o := r.opinions[0]
	return fmt.Errorf("%w: %d nodes answered; %s says %d slots are covered, %d were", ErrDisputed, len(r.opinions),
		o.from.addr, o.m.Covered(), r.old.Covered())
}

// publish makes the chosen view the current map, unless nothing is new about it. A view that moves had to be added to
// is followed by another refresh.
func (t *Tracker) publish(o *opinion) {
	t.mu.Lock()
	m := o.m.WithMoved(t.ledger.against(o.asked))
	if m != o.m && !t.closed {
		t.demand()
	}
	old := t.current.Load()
	changed := !m.identical(old)
	if changed {
		t.current.Store(m)
		t.changed(old, m)
	}
	t.mu.Unlock()
	if changed {
		for _, note := range o.notes {
			t.cfg.Logger.Warn(note, "node", o.from.addr)
		}
	}
}
