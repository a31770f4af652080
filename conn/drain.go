package conn

import "time"

// Bounds on the draining of a connection that owes replies, e.g. because its caller was cancelled: what would cost more
// than a fresh connection is closed instead.
const (
	maxDrains       = 2                      // at once, per pool
	maxDrainReplies = 64                     // replies owed
	maxDrainBytes   = 256 << 10              // read while draining
	maxDrainTime    = 250 * time.Millisecond // for one connection
)

// drain reads what c owes in the background and then shelves it. It reports false, and does nothing, where the debt is
// too large or enough are draining.
func (p *Pool) drain(c *Conn) bool {
	if c.pending > maxDrainReplies {
		return false
	}
	c.disarm()
	p.mu.Lock()
	if p.closed || c.epoch != p.epoch || len(p.draining) >= maxDrains {
		p.mu.Unlock()
		return false
	}
	p.draining[c] = struct{}{}
	p.stats.Drains++
	p.tasks.Go(func() { p.drained(c, c.repay()) })
	p.mu.Unlock()
	return true
}

func (p *Pool) drained(c *Conn, clean bool) {
	p.mu.Lock()
	delete(p.draining, c)
	p.mu.Unlock()
	if clean {
		p.shelve(c)
		return
	}
	p.discard(c, &p.stats.Dropped)
}

// repay reads the replies owed and reports whether nothing is left over.
func (c *Conn) repay() bool {
	c.SetDeadline(time.Now().Add(maxDrainTime))
	c.readLimit = c.bytesIn + maxDrainBytes
	defer func() { c.readLimit = 0 }()
	if c.reader.Depth() > 0 {
		if c.reader.SkipRest() != nil {
			return false
		}
		c.Received()
	}
	for c.pending > 0 {
		if c.reader.Skip() != nil {
			return false
		}
		c.Received()
	}
	return c.reader.Buffered() == 0 || c.settle(past)
}
