package conn

import "time"

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
	c.reader.Trim(c.keep)
	now := time.Now()
	p.mu.Lock()
	if p.closed || c.epoch != p.epoch || c.outlived(now) {
		p.mu.Unlock()
		p.discard(c, &p.stats.Expired)
		return
	}
	defer p.mu.Unlock()
	p.stats.count(c)
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
	p.stats.count(c)
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

func (c *Conn) outlived(now time.Time) bool { return !c.expires.IsZero() && !now.Before(c.expires) }
