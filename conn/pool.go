package conn

import (
	"context"
	"os"
	"sync"
	"time"
)

// Pool keeps the connections to one address. It is safe for concurrent use. It has no goroutine while nobody waits for a
// dial and no debt is drained.
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
	tasks  sync.WaitGroup // dials and drains
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
		c.disarm()
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
		if !p.breaker.pass(now) {
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
	p.mu.Unlock()
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

// Put takes back a connection got from this pool, in whatever state. It closes it where it is broken, too old, or in
// the middle of a request; it drains it in the background where it owes little (see [PoolStats] for how often); else
// the next caller has it. Nobody may use c or call its Abort after that.
func (p *Pool) Put(c *Conn) {
	c.reused = true
	whole := c.broken == nil && c.unsend()
	if whole && c.pending == 0 && c.reader.Depth() == 0 && (c.reader.Buffered() == 0 || c.settle(past)) {
		p.shelve(c)
		return
	}
	if whole && c.pending > 0 && p.drain(c) {
		return
	}
	p.discard(c, &p.stats.Dropped)
}

// shelve hands a connection that owes nothing to the first waiter, or keeps it.
func (p *Pool) shelve(c *Conn) {
	c.disarm()
	c.trim(p.cfg.KeepBuffer)
	now := time.Now()
	p.mu.Lock()
	if p.closed || c.epoch != p.epoch || c.outlived(now) {
		p.mu.Unlock()
		p.discard(c, &p.stats.Expired)
		return
	}
	defer p.mu.Unlock()
	if p.waiting.answer(c, nil) {
		return
	}
	c.idleSince = now
	p.idle = append(p.idle, c)
}

// discard closes a connection and lets those who wait have its place.
func (p *Pool) discard(c *Conn, counter *uint64) {
	_ = c.Close() // first, so that there are never more sockets than MaxConns
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open--
	*counter++
	p.startDials(p.ctx)
}

// expire closes idle connections that are too old. The lock is held.
func (p *Pool) expire(now time.Time) {
	if len(p.idle) == 0 || p.cfg.MaxLifetime <= 0 && !p.old(p.idle[0], now) {
		return // the bottom is the one that has been idle longest
	}
	keep := p.idle[:0]
	for _, c := range p.idle {
		if p.old(c, now) {
			_ = c.Close()
			p.open--
			p.stats.Expired++
			continue
		}
		keep = append(keep, c)
	}
	clear(p.idle[len(keep):])
	p.idle = keep
}

func (p *Pool) old(c *Conn, now time.Time) bool {
	return p.cfg.MaxIdleTime > 0 && now.Sub(c.idleSince) >= p.cfg.MaxIdleTime || c.outlived(now)
}

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

func (c *Conn) outlived(now time.Time) bool { return !c.expires.IsZero() && !now.Before(c.expires) }

// trim drops the buffers that are larger than keep.
func (c *Conn) trim(keep int) {
	if cap(c.out) > keep {
		c.out = nil
	}
	c.reader.Trim(keep)
}
