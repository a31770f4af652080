package conn

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// startDials begins as many dials as there are callers to wait for them, within the pool's bounds. The lock is held.
func (p *Pool) startDials(ctx context.Context) {
	for p.dialing < p.waiting.n && p.startDial(ctx) {
	}
}

// startDial begins one dial if the bounds allow. It keeps the values of ctx, for the credentials and the dialler, but
// does not end with it. The lock is held.
func (p *Pool) startDial(ctx context.Context) bool {
	if p.closed || p.open >= p.cfg.MaxConns || p.dialing >= p.cfg.MaxDials {
		return false
	}
	p.open++
	p.dialing++
	epoch := p.epoch
	ctx = context.WithoutCancel(ctx)
	p.tasks.Go(func() {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(p.ctx, cancel)()
		if c, err := p.dialer.dial(ctx); err != nil {
			p.dialFailed(err)
		} else {
			p.dialled(c, epoch)
		}
	})
	return true
}

// dialled takes in a connection: for the first waiter, if there is one.
func (p *Pool) dialled(c *Conn, epoch uint64) {
	c.epoch = epoch
	if life := p.cfg.MaxLifetime; life > 0 {
		c.expires = c.born.Add(life - time.Duration(rand.Int64N(int64(life)/10+1)))
	}
	p.mu.Lock()
	p.dialing--
	p.stats.Dials++
	news := p.healed(byDial)
	p.mu.Unlock()
	p.tell(news)
	p.shelve(c)
	p.mu.Lock()
	p.startDials(p.ctx) // for those who still wait
	p.mu.Unlock()
}

// dialFailed gives the first waiter the failure, at once and not when its time is up. The others get their turn, or the
// breaker's refusal.
func (p *Pool) dialFailed(err error) {
	p.mu.Lock()
	p.open--
	p.dialing--
	p.stats.Dials++
	p.stats.DialErrors++
	var news *BreakerInfo
	if !p.closed {
		p.waiting.answer(nil, err)
		news = p.ailed(byDial, err)
		p.startDials(p.ctx)
	}
	p.mu.Unlock()
	p.tell(news)
}

// ailed counts a failure; where that opens the breaker, nobody waits any longer, and probes begin. It returns what to
// tell, if anything. The lock is held.
func (p *Pool) ailed(kind failure, err error) *BreakerInfo {
	if !p.breaker.failed(kind, err, time.Now()) {
		return nil
	}
	p.stats.BreakerOpened++
	if !p.breaker.probing && !p.closed {
		p.breaker.probing = true
		p.tasks.Go(p.probe)
	}
	p.waiting.fail(p.unavailable())
	return &BreakerInfo{Addr: p.addr, Open: true, Until: p.breaker.until, Err: err}
}

// healed counts a success. It returns what to tell, if anything. The lock is held.
func (p *Pool) healed(kind failure) *BreakerInfo {
	if !p.breaker.succeeded(kind) {
		return nil
	}
	return &BreakerInfo{Addr: p.addr}
}

func (p *Pool) tell(news *BreakerInfo) {
	if f := p.cfg.Trace.Breaker; f != nil && news != nil {
		f(*news)
	}
}

func (p *Pool) unavailable() error {
	return &UnavailableError{Addr: p.addr, Until: p.breaker.until, Err: p.breaker.last}
}

func (p *Pool) closedError() error { return fmt.Errorf("conn: %s: %w", p.addr, ErrPoolClosed) }
