package conn

import (
	"context"
	"os"
	"time"
)

// wait waits for the answer to w. until binds those whose context has no deadline, and the strict.
func (p *Pool) wait(ctx context.Context, w *waiter, until time.Time, strict bool) (*Conn, error) {
	start := time.Now()
	var late <-chan time.Time
	if _, bound := ctx.Deadline(); strict || !bound {
		t := time.NewTimer(until.Sub(start))
		defer t.Stop()
		late = t.C
	}
	var end error
	select {
	case a := <-w.ch:
		p.waited(start)
		return a.c, a.err
	case <-ctx.Done():
		end = ctx.Err()
	case <-late:
		end = os.ErrDeadlineExceeded
	}
	p.mu.Lock()
	left := p.waiting.remove(w)
	p.stats.Timeouts++
	var news *BreakerInfo
	if left && end != context.Canceled && p.noneOpen() && time.Since(start) >= patience {
		news = p.ailed(byDial, &DialError{Addr: p.addr, Op: "wait", Err: os.ErrDeadlineExceeded})
	}
	p.mu.Unlock()
	p.tell(news)
	p.waited(start)
	if !left {
		if a := <-w.ch; a.c != nil {
			p.Put(a.c) // it came too late
		}
	}
	return nil, &DialError{Addr: p.addr, Op: "wait", Err: end}
}

func (p *Pool) waited(start time.Time) {
	d := time.Since(start)
	p.mu.Lock()
	p.stats.WaitTime += d
	p.mu.Unlock()
}

// patience is how long a caller must have waited in vain for its time-out to count against the node: where there is no
// connection at all, only attempts to make one. They may go on for long after many callers' deadlines. Fault E18.
const patience = 10 * time.Millisecond
