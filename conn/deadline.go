package conn

import "time"

// past is a deadline that has passed.
var past = time.Unix(1, 0)

// SetDeadline bounds the reads and writes that follow; the zero time means the limit alone. It may be an early one, a
// slice of the conversation's time: what times out can be resumed after the next SetDeadline. It never reaches
// beyond the limit.
func (c *Conn) SetDeadline(t time.Time) { c.arm(t, c.limit) }

// SetLimit sets the end of the conversation, which no later SetDeadline moves and which alone bounds writes over TLS.
// The zero time means none. It sets the deadline too. A pool clears both when the connection is put back.
func (c *Conn) SetLimit(t time.Time) {
	c.limit = t
	c.arm(t, t)
}

// Abort wakes a blocked read or write, and makes every later one time out at once until the connection is back in its
// pool. It is safe from any goroutine, but must not be called once the connection was put back: it would hit the next
// user. (Wait for the function given to [context.AfterFunc] if its stop came too late.)
func (c *Conn) Abort() {
	c.aborted.Store(true)
	_ = c.nc.SetDeadline(past)
}

// arm sets both deadlines on the transport. An Abort wins: its flag is set before its deadline and read here after ours.
func (c *Conn) arm(t, limit time.Time) {
	if !limit.IsZero() && (t.IsZero() || t.After(limit)) {
		t = limit
	}
	// An error means that the transport is closed, which the next read or write will tell.
	if c.tls && !limit.IsZero() {
		_ = c.nc.SetReadDeadline(t)
		_ = c.nc.SetWriteDeadline(limit)
	} else {
		_ = c.nc.SetDeadline(t)
	}
	if c.aborted.Load() {
		_ = c.nc.SetDeadline(past)
	}
}

// disarm forgets deadline, limit and Abort between two users.
func (c *Conn) disarm() {
	c.limit = time.Time{}
	c.aborted.Store(false)
	_ = c.nc.SetDeadline(time.Time{})
}
