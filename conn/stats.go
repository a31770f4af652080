package conn

import "time"

// PoolStats is a snapshot of a pool: how it is now, and what has happened since it was made.
type PoolStats struct {
	Open     int // connections that exist, those being dialled included; at most MaxConns
	Idle     int
	InUse    int // handed out
	Dialing  int
	Draining int
	Waiting  int // callers in line

	BreakerOpen bool

	Gets       uint64        // calls of Get and GetUntil
	Reused     uint64        // answered with an idle connection, before it was looked at
	Refused    uint64        // refused by the breaker
	Waits      uint64        // had to get in line
	WaitTime   time.Duration // spent in line, in total
	Timeouts   uint64        // left the line without an answer
	Dials      uint64        // ended, failed ones included
	DialErrors uint64
	Stale      uint64 // idle connections found closed by the peer, or with bytes nobody asked for
	Expired    uint64 // closed for age, a Flush or Close
	Dropped    uint64 // closed because broken or deep in debt when put back
	Drains     uint64 // debts that were read in the background, failed ones included

	BreakerOpened uint64 // times the breaker opened, or stayed open after a probe
}

// Stats returns a snapshot.
func (p *Pool) Stats() PoolStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Open, s.Idle, s.Dialing, s.Draining = p.open, len(p.idle), p.dialing, len(p.draining)
	s.InUse = s.Open - s.Idle - s.Dialing - s.Draining
	s.Waiting = p.waiting.n
	s.BreakerOpen = p.breaker.open
	return s
}
