package conn

import (
	"context"
	"os"
	"sync"
	"time"
)

// Pool keeps the connections to one address. It is safe for concurrent use. It has no goroutine while nobody waits for a
// dial, no debt is drained, and its breaker is closed.
//
// The connection used last is handed out first, so that those not needed grow old and are closed. Callers who must
// wait are served in the order they came. Dials run apart from the callers: a caller whose time is up leaves, and
// the connection is there for the next.
type Pool struct {
	addr   string
	cfg    *Config
	dialer *dialer
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	tasks  sync.WaitGroup // dials, drains and probes
	busy   *DialError     // what a caller gets who does not wait

	mu       sync.Mutex
	closed   bool
	idle     []*Conn // the last one is the freshest
	waiting  waiters
	open     int // connections that exist: idle, handed out, draining, and those being dialled; never above MaxConns
	dialing  int
	draining map[*Conn]struct{}
	epoch    uint64
	breaker  breaker
	stats    PoolStats
}

// NewPool makes a pool. It dials nothing until asked.
func NewPool(addr string, cfg *Config) *Pool {
	cfg = cfg.withDefaults()
	p := &Pool{
		addr:     addr,
		cfg:      cfg,
		dialer:   newDialer(addr, cfg),
		busy:     &DialError{Addr: addr, Op: "wait", Err: os.ErrDeadlineExceeded},
		draining: make(map[*Conn]struct{}),
		breaker:  breaker{cfg: cfg},
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// Addr is the address the pool dials.
func (p *Pool) Addr() string { return p.addr }

// Get hands out a connection that owes nothing and has no deadline; give it back with Put. It waits for one until the
// context ends, or for [Config.Timeout] where that has no deadline. The error is a [*DialError], an
// [*UnavailableError] or wraps [ErrPoolClosed]. It allocates nothing where an idle connection is at hand.
func (p *Pool) Get(ctx context.Context) (*Conn, error) {
	now := time.Now()
	return p.get(ctx, now, now.Add(p.cfg.Timeout), false)
}

// GetUntil is Get with a wait that ends at until too, with os.ErrDeadlineExceeded. If that is not in the future, it
// does not wait at all, but a dial is begun where one is needed, so that asking again later is worth it.
func (p *Pool) GetUntil(ctx context.Context, until time.Time) (*Conn, error) {
	return p.get(ctx, time.Now(), until, true)
}

func (p *Pool) get(ctx context.Context, now, until time.Time, strict bool) (*Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, &DialError{Addr: p.addr, Op: "wait", Err: err}
	}
	admitted := false
	for {
		c, w, err := p.take(ctx, now, until, admitted)
		if err != nil {
			return nil, err
		}
		if w == nil {
			c.reused = true
		} else if c, err = p.wait(ctx, w, until, strict); err != nil {
			return nil, err
		}
		if c.fresh() {
			return c, nil
		}
		p.discard(c, &p.stats.Stale)
		admitted = true
	}
}

// take takes an idle connection, or gets in line for one. A caller is admitted by the breaker once.
func (p *Pool) take(ctx context.Context, now, until time.Time, admitted bool) (*Conn, *waiter, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, nil, p.closedError()
	}
	if !admitted {
		p.stats.Gets++
		if p.breaker.open {
			p.stats.Refused++
			return nil, nil, p.unavailable()
		}
	}
	p.expire(now)
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle[n-1] = nil
		p.idle = p.idle[:n-1]
		p.stats.Reused++
		return c, nil, nil
	}
	if !until.After(now) {
		if p.dialing == 0 {
			p.startDial(ctx)
		}
		return nil, nil, p.busy
	}
	w := &waiter{ch: make(chan answer, 1)}
	p.waiting.push(w)
	p.stats.Waits++
	p.startDials(ctx)
	return nil, w, nil
}

// Dialing reports whether the pool has no connection, only attempts to make one.
func (p *Pool) Dialing() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialing > 0 && p.noneOpen()
}

// noneOpen reports whether all the places that are taken are those of attempts and of connections being drained. The lock is
// held.
func (p *Pool) noneOpen() bool { return p.open == p.dialing+len(p.draining) }

// Flush closes the idle connections, and those now handed out when they come back: for a node whose role has changed,
// or whose name may resolve to another address now. Fault E15.
func (p *Pool) Flush() {
	p.mu.Lock()
	p.epoch++
	old := p.idle
	p.idle = nil
	p.mu.Unlock()
	for _, c := range old {
		p.discard(c, &p.stats.Expired)
	}
}

// Report tells the breaker how a conversation went; nil is success. An error reply is a success too, except LOADING and
// MASTERDOWN; a canceled context and errors of this pool's Get tell nothing.
func (p *Pool) Report(err error) {
	var news *BreakerInfo
	alive, ailing := verdict(err)
	p.mu.Lock()
	if alive {
		news = p.healed(byTalk)
	} else if ailing {
		news = p.ailed(byTalk, err)
	}
	p.mu.Unlock()
	p.tell(news)
}

// Close closes the pool and its idle connections, fails those who wait, and returns when no goroutine of the pool
// runs. Connections that are handed out are closed when they are put back.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.waiting.fail(p.closedError())
	old := p.idle
	p.idle = nil
	for c := range p.draining {
		c.Abort()
	}
	p.mu.Unlock()
	p.cancel()
	for _, c := range old {
		p.discard(c, &p.stats.Expired)
	}
	p.tasks.Wait()
}
