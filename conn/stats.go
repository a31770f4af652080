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

	// The traffic of the connections that have been put back or closed, handshakes included. Over TLS the bytes are those
	// inside.
	Writes, Reads     uint64 // calls of the transport
	BytesOut, BytesIn uint64

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

// count adds what went over c since it was counted last. The lock is held.
func (s *PoolStats) count(c *Conn) {
	s.Writes += c.traffic.writes
	s.Reads += c.traffic.reads
	s.BytesOut += uint64(c.bytesOut - c.traffic.out0)
	s.BytesIn += uint64(c.bytesIn - c.traffic.in0)
	c.traffic = traffic{out0: c.bytesOut, in0: c.bytesIn}
}

// traffic is what went over a connection since its pool counted it.
type traffic struct {
	writes, reads uint64
	out0, in0     int64 // Conn.bytesOut and bytesIn then
}
