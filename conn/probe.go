package conn

import (
	"context"
	"errors"
	"time"
)

// probe dials and pings the node whenever a pause is over, until it answers, something else closes the breaker, or the
// pool is closed. It runs apart from all callers, so that none of them pays for a node that is still unwell.
func (p *Pool) probe() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-p.ctx.Done():
			return
		}
		pause, try := p.probeNext()
		switch {
		case try:
			timer.Reset(p.probeOnce())
		case pause > 0:
			timer.Reset(pause)
		default:
			return
		}
	}
}

// probeNext says how long to wait for the next probe, or to try one now. Neither is the end of probing. A dial that is to
// be tried has its place among the connections.
func (p *Pool) probeNext() (pause time.Duration, try bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.breaker.open || p.closed {
		p.breaker.probing = false
		return 0, false
	}
	if pause = time.Until(p.breaker.until); pause > 0 {
		return pause, false
	}
	if p.open >= p.cfg.MaxConns && len(p.idle) > 0 {
		_ = p.idle[0].Close() // the oldest makes room
		p.idle = append(p.idle[:0], p.idle[1:]...)
		p.open--
		p.stats.Expired++
	}
	if p.open >= p.cfg.MaxConns {
		return jitter(p.breaker.pause), false // all are in use, and their conversations will tell
	}
	p.open++
	p.dialing++
	return 0, true
}

// probeOnce dials and pings, and returns how long to wait for the next probe.
func (p *Pool) probeOnce() time.Duration {
	p.mu.Lock()
	epoch := p.epoch
	p.mu.Unlock()
	ctx, cancel := context.WithTimeout(p.ctx, min(p.cfg.DialTimeout, probeTimeout))
	defer cancel()
	c, err := p.dialer.dial(ctx)
	if err == nil {
		if err = p.ping(ctx, c); err != nil {
			_ = c.Close()
		}
	}
	if err == nil {
		p.Report(nil)
		p.dialled(c, epoch)
		return 0
	}
	var fail *DialError
	if errors.As(err, &fail) {
		fail.Err = cause(p.ctx, fail.Err) // the timeout of ctx is no caller's, and callers will be told of it (fault E28)
	}
	p.mu.Lock()
	p.open--
	p.dialing--
	p.stats.Dials++
	p.stats.DialErrors++
	p.stats.BreakerOpened++
	p.breaker.probed(err, time.Now())
	news := &BreakerInfo{Addr: p.addr, Open: true, Until: p.breaker.until, Err: err}
	pause := time.Until(p.breaker.until)
	p.startDials(p.ctx)
	p.mu.Unlock()
	p.tell(news)
	return pause
}

// ping asks for a sign of life: HELLO alone is answered by nodes that answer nothing else. Fault F10.
func (p *Pool) ping(ctx context.Context, c *Conn) error {
	_, err := c.Do(ctx, "PING")
	if alive, _ := verdict(err); alive {
		return nil
	}
	return &DialError{Addr: p.addr, Op: "ping", Err: cause(ctx, err)}
}

// probeTimeout bounds a probe. Where packets are lost a new attempt finds the way sooner than an old one that waits longer
// from try to try.
const probeTimeout = 2 * time.Second
