package conn

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/slotcast/slotcast/resp"
)

// Config says how to reach nodes and how many connections to keep. The zero value is useful, and so is a nil pointer.
// It is copied by [Dial] and [NewPool]; changing it afterwards has no effect. What its functions do must be safe for
// concurrent use.
type Config struct {
	// Username and Password authenticate each new connection. A password alone means the user "default". Default: none.
	Username, Password string

	// Credentials is called at each dial and wins over Username and Password, so that rotated passwords and short-lived
	// tokens are fresh. If the server refuses them, it is called once more; a different answer is tried once. Default: nil.
	Credentials func(ctx context.Context, addr string) (username, password string, err error)

	// ClientName is shown by CLIENT LIST. Servers refuse names with spaces. Default: none.
	ClientName string

	// LibInfo tells the server the library's name and version (CLIENT SETINFO, Redis 7.2). The answer is ignored:
	// some services refuse the command. Default: false.
	LibInfo bool

	// TLS switches TLS on. It is cloned at each dial, and where its ServerName is empty the host that is dialled is
	// verified. Default: nil, plain TCP.
	TLS *tls.Config

	// ServerName gives the name to verify for an address, e.g. when nodes are dialled by IP address but their
	// certificates carry host names. It wins over TLS.ServerName. Default: nil.
	ServerName func(addr string) string

	// Dial opens the transport; TLS and the handshake are done on top of it. A connection it returns that is no
	// [syscall.Conn] (nor offers NetConn() net.Conn, as *tls.Conn does) costs up to 100 µs at each reuse, the wait in
	// which it is looked at; on Linux a *[net.TCPConn] is read and written faster than a type around one. Default: a
	// [net.Dialer] (TCP_NODELAY, and on Linux TCP_USER_TIMEOUT).
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// DialTimeout bounds a dial with TLS, handshake and second attempt. Default: 5 s.
	DialTimeout time.Duration

	// Timeout bounds a conversation, or a wait for a connection, whose context has no deadline. Default: 5 s.
	Timeout time.Duration

	// Limits bounds what a reply may make us allocate. Default: see [resp.Limits].
	Limits resp.Limits

	// KeepBuffer is the size in bytes above which buffers are dropped, so that one large reply does not hold memory for ever:
	// that of replies, which each connection has, when it returns to its pool, and one of requests, which connections
	// share, when all of it has been sent. Default: 1 MiB.
	KeepBuffer int

	// MaxConns is the most connections a pool has at any moment, those being dialled included. Default: 32.
	MaxConns int

	// MaxDials is the most dials a pool has under way at once. Default: 4.
	MaxDials int

	// MaxIdleTime is the time after which an idle connection is not used again. Balancers drop idle connections
	// silently, some after 240 s. Default: 3 min; negative: no bound.
	MaxIdleTime time.Duration

	// MaxLifetime is the age, less up to a tenth of it at random, after which a connection is not used again.
	// Default: 0, no bound.
	MaxLifetime time.Duration

	// BreakerFailures is the number of consecutive failures after which a pool refuses at once. Default: 3; negative:
	// never.
	BreakerFailures int

	// BreakerPause is how long a pool that refuses waits before it probes the node, in the background; it doubles with each
	// failed probe up to BreakerMaxPause. Both vary by a quarter at random. Default: 100 ms and 1 s.
	BreakerPause, BreakerMaxPause time.Duration

	// Trace observes dials and breakers. Default: nil.
	Trace *Trace
}

// Trace observes connections. Each function may be nil; they are called from several goroutines and must not block.
type Trace struct {
	// Dialled is called when a dial has ended.
	Dialled func(DialInfo)
	// Breaker is called when a pool's breaker opens, stays open after a probe, or closes.
	Breaker func(BreakerInfo)
}

// DialInfo describes a dial that has ended.
type DialInfo struct {
	Addr     string
	Duration time.Duration // transport, TLS and handshake
	Err      error         // nil = connected
}

// BreakerInfo describes a change of a pool's breaker.
type BreakerInfo struct {
	Addr  string
	Open  bool
	Until time.Time // when the node is probed next, if open
	Err   error     // the failure that opened it, if open
}

func (c *Config) withDefaults() *Config {
	var d Config
	if c != nil {
		d = *c
	}
	d.DialTimeout = orDefault(d.DialTimeout, 5*time.Second)
	d.Timeout = orDefault(d.Timeout, 5*time.Second)
	d.KeepBuffer = orDefault(d.KeepBuffer, 1<<20)
	d.MaxConns = orDefault(d.MaxConns, 32)
	d.MaxDials = orDefault(d.MaxDials, 4)
	d.BreakerPause = orDefault(d.BreakerPause, 100*time.Millisecond)
	d.BreakerMaxPause = max(orDefault(d.BreakerMaxPause, time.Second), d.BreakerPause)
	if d.MaxIdleTime == 0 {
		d.MaxIdleTime = 3 * time.Minute
	}
	if d.BreakerFailures == 0 {
		d.BreakerFailures = 3
	}
	if d.Trace == nil {
		d.Trace = new(Trace)
	}
	return &d
}

// orDefault is v, or def where v is zero or makes no sense.
func orDefault[T ~int | ~int64](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}
