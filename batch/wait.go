package batch

import (
	"math/rand/v2"
	"time"
)

// Waits before a group is sent again. A cluster that fails over is deaf for some hundred milliseconds at least, so they grow
// quickly.
const (
	firstWait = 5 * time.Millisecond
	longWait  = 250 * time.Millisecond

	// together is how close waits must end for their groups to be sent in one write.
	together = time.Millisecond
)

// A sleeper is a group that waits.
type sleeper struct {
	gi   int32
	wake time.Time
}

// wait puts a group aside for a while that doubles from try to try, or fails it if it has been tried often enough. The
// waits of one op are spread by the same factor, between a half and one, so that its groups are sent together.
func (o *op) wait(gi int32, addr string, err error) {
	g := &o.groups[gi]
	if int(g.tries) >= o.c.cfg.MaxTries {
		o.fail(gi, addr, err)
		return
	}
	o.c.counts.waits.Add(1)
	g.refusal = &refusal{addr, err}
	if o.spread == 0 {
		o.spread = 0.5 + rand.Float64()/2
	}
	pause := longWait
	if g.tries < 6 {
		pause = min(firstWait<<g.tries, longWait)
	}
	g.tries++
	wake := time.Now().Add(time.Duration(float64(pause) * o.spread))
	if len(o.waiting) == 0 || wake.Before(o.wake) {
		o.wake = wake
	}
	o.waiting = append(o.waiting, sleeper{gi, wake})
}

// awaken opens the groups whose wait is over.
func (o *op) awaken() {
	if len(o.waiting) > 0 {
		if now := time.Now(); !now.Before(o.wake) {
			o.wakeUntil(now.Add(together))
		}
	}
	if len(o.unserved) > 0 {
		select {
		case <-o.refresh.done:
			o.served()
		default:
		}
	}
}

func (o *op) wakeUntil(end time.Time) {
	keep := o.waiting[:0]
	for _, s := range o.waiting {
		switch {
		case s.wake.Before(end):
			o.open = append(o.open, s.gi)
			continue
		case len(keep) == 0 || s.wake.Before(o.wake):
			o.wake = s.wake
		}
		keep = append(keep, s)
	}
	o.waiting = keep
}

// idle waits until there is something to do, at the latest until the given time.
func (o *op) idle(until time.Time) {
	if len(o.waiting) > 0 && o.wake.Before(until) {
		until = o.wake
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case got := <-o.arrivals.ch:
		o.arrived(got)
	case <-o.refresh.done:
		o.served()
	case <-o.ctx.Done():
	case <-timer.C:
	}
}
