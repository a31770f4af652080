package conn

import (
	"io"
	"net"
	"syscall"
	"time"
)

// What a look at an idle socket shows.
type sight uint8

const (
	unseen  sight = iota // it cannot be looked at
	quiet                // nothing to read: as it should be
	waiting              // bytes wait
	gone                 // closed or reset by the peer
)

// peeker looks into a socket's receive queue without reading from it. All it needs is prepared once per connection, so
// that a look is one system call and no allocation.
type peeker struct {
	rc      syscall.RawConn // nil = cannot look
	layered bool            // layers above the socket (TLS) may hold bytes of their own
	fn      func(fd uintptr)
	buf     [1]byte
	n       int
	err     error
}

func (p *peeker) init(nc net.Conn) {
	for depth := 0; depth < 4; depth++ {
		if sc, ok := nc.(syscall.Conn); ok {
			if rc, err := sc.SyscallConn(); err == nil {
				p.rc, p.fn = rc, p.recv
			}
			return
		}
		wrapper, ok := nc.(interface{ NetConn() net.Conn })
		if !ok {
			return
		}
		nc, p.layered = wrapper.NetConn(), true
	}
}

// Waits for bytes that may be there.
const (
	blindWait = 100 * time.Microsecond // where the socket cannot be looked at
	arrivedIn = time.Millisecond       // where bytes have been seen
)

// fresh reports whether nothing has happened to a connection since its last conversation. It reads push frames and TLS
// session tickets; the end of the stream or any other byte (a late reply, an error before a close) makes it unfit:
// faults A11, A23, E14. It needs a connection without deadline and leaves it so.
func (c *Conn) fresh() bool {
	switch c.peek.look() {
	case gone:
		return false
	case quiet:
		return !c.peek.layered || c.settle(past)
	case waiting:
		if !c.peek.layered && c.peek.buf[0] != '>' {
			return false
		}
		return c.settle(time.Now().Add(arrivedIn)) && c.peek.look() == quiet
	default:
		return c.settle(time.Now().Add(blindWait))
	}
}

// Arrived reports whether bytes have arrived that nobody has read: after a time-out they tell a slow reader from a silent
// peer. It is false where the socket cannot be looked at.
func (c *Conn) Arrived() bool { return c.reader.Buffered() > 0 || c.peek.look() == waiting }

// settle reads what belongs to no reply until the deadline, and reports whether that left nothing behind. The reader is
// shown the deadline as an end of the stream, because it knows whether the stream may end there: not inside a push.
func (c *Conn) settle(deadline time.Time) bool {
	c.arm(deadline, time.Time{})
	c.settling = true
	_, err := c.reader.Kind()
	c.settling = false
	c.arm(time.Time{}, time.Time{})
	if err != io.EOF || c.broken != nil {
		return false
	}
	c.reader.Reset((*source)(c))
	return true
}
