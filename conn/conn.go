package conn

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/slotcast/slotcast/resp"
)

// Conn is one connection to one node, ready after the handshake. One goroutine owns it; only [Conn.Abort] may be called
// by others. It has no goroutine of its own.
type Conn struct {
	addr    string
	nc      net.Conn
	tls     bool
	proto   int
	version string
	timeout time.Duration
	peek    peeker
	reader  *resp.Reader

	// out[:sent] has been written, out[sent:] has not. part: some of what was committed with it has been written, also
	// where out was moved down since. queued replies belong to requests in out.
	// The array is lent, see outs, while there is something to send.
	out     []byte
	lent    *[]byte
	keep    int // Config.KeepBuffer
	sent    int
	part    bool
	queued  int
	pending int

	bytesOut, bytesIn int64
	readLimit         int64 // bytesIn above which reading fails, or 0; bounds the draining of a debt
	settling          bool  // see settle
	broken            error
	aborted           atomic.Bool
	limit             time.Time // end of the conversation, see SetLimit

	greeting *[16]byte // the first bytes received; nil after the handshake

	// The pool's own.
	traffic         traffic
	born, idleSince time.Time
	expires         time.Time // zero = never
	epoch           uint64    // Pool.Flush makes older ones unusable
	reused          bool
}

func newConn(addr string, nc net.Conn, cfg *Config) *Conn {
	_, isTLS := nc.(*tls.Conn)
	c := &Conn{addr: addr, nc: nc, tls: isTLS, proto: 2, timeout: cfg.Timeout, keep: cfg.KeepBuffer, born: time.Now()}
	c.greeting = new([16]byte)
	c.reader = resp.NewReader((*source)(c), cfg.Limits)
	c.peek.init(nc)
	return c
}

// Addr is the address that was dialled.
func (c *Conn) Addr() string { return c.addr }

// Host is the host of Addr, which an empty host in a redirect or a slot map stands for.
func (c *Conn) Host() string {
	host, _, err := net.SplitHostPort(c.addr)
	if err != nil {
		return c.addr
	}
	return host
}

// TLS reports whether the connection is encrypted.
func (c *Conn) TLS() bool { return c.tls }

// Version is the server's version as told by HELLO, e.g. "7.0.15"; empty where the server knows no HELLO.
func (c *Conn) Version() string { return c.version }

// Proto is the version of RESP spoken, 2 or 3.
func (c *Conn) Proto() int { return c.proto }

// Reused reports whether the connection has been handed out before by its pool: it may have died unnoticed, so a request
// that was not accepted at all (see [Unsent]) deserves a second attempt on a fresh one.
func (c *Conn) Reused() bool { return c.reused }

// Reader reads the replies. Its timeouts can be resumed and leave the connection whole; any other error of the transport
// breaks it, and the caller breaks it with [Conn.Fail] where the reader finds the stream out of step.
func (c *Conn) Reader() *resp.Reader { return c.reader }

// Received says that one owed reply has been read to its end.
func (c *Conn) Received() { c.pending-- }

// Pending is the number of replies owed: for requests committed, sent or not.
func (c *Conn) Pending() int { return c.pending }

// Sent is the number of bytes written since the connection was made, handshake included.
func (c *Conn) Sent() int64 { return c.bytesOut }

// BytesIn is the number of bytes read since the connection was made, handshake included.
func (c *Conn) BytesIn() int64 { return c.bytesIn }

// Broken is nil while the connection can be used, else the first error that broke it, an *[IOError].
func (c *Conn) Broken() error { return c.broken }

// Fail marks the connection broken, so that it is never used again, and returns err with the address added. The
// first failure is kept and returned from then on.
func (c *Conn) Fail(err error) error {
	if c.broken == nil {
		c.broken = c.Wrap(err)
	}
	return c.broken
}

// Wrap returns err, which a read gave, with the address added, as an *[IOError]. It does not mark the connection.
func (c *Conn) Wrap(err error) error {
	var own *IOError
	if errors.As(err, &own) {
		return err
	}
	if err == io.EOF && c.pending > 0 {
		err = io.ErrUnexpectedEOF
	}
	return &IOError{Addr: c.addr, Op: "read", Err: bare(err)}
}

// Close closes the connection. A pooled one goes back with [Pool.Put] instead.
func (c *Conn) Close() error {
	if c.broken == nil {
		c.broken = &IOError{Addr: c.addr, Op: "write", Unsent: true, Err: net.ErrClosed}
	}
	if tc, ok := c.nc.(*tls.Conn); ok {
		// The alert that tells the peer would wait up to 5 s for a peer that does not read.
		return tc.NetConn().Close()
	}
	return c.nc.Close()
}

// source is what the Reader reads from: the transport, counted, its failures noted.
type source Conn

func (s *source) Read(p []byte) (int, error) {
	if s.readLimit > 0 && s.bytesIn >= s.readLimit {
		return 0, errDebt
	}
	n, err := s.nc.Read(p)
	s.traffic.reads++
	if s.greeting != nil && s.bytesIn < int64(len(s.greeting)) {
		copy(s.greeting[s.bytesIn:], p[:n])
	}
	s.bytesIn += int64(n)
	switch {
	case err == nil:
	case !isTimeout(err):
		(*Conn)(s).Fail(err)
	case s.settling:
		err = io.EOF
	}
	return n, err
}

// errDebt ends a drain that has read enough.
var errDebt = errors.New("more is owed than is worth reading")
