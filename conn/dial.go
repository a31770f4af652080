package conn

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Dial connects to addr ("host:port") and does the handshake, in one round trip after that of the transport: RESP3
// where the server speaks it, else RESP2. The context and [Config.DialTimeout] bound it. The error is a [*DialError].
func Dial(ctx context.Context, addr string, cfg *Config) (*Conn, error) {
	return newDialer(addr, cfg.withDefaults()).dial(ctx)
}

// dialer makes connections to one address and remembers what it learned about it. It is safe for concurrent use.
type dialer struct {
	addr string
	cfg  *Config

	mu         sync.Mutex
	plainUntil time.Time // until then the server is taken not to know HELLO
}

// plainMemory is how long a server that did not know HELLO is not asked again: it may be upgraded. Fault E10.
const plainMemory = 5 * time.Minute

func newDialer(addr string, cfg *Config) *dialer { return &dialer{addr: addr, cfg: cfg} }

func (d *dialer) dial(ctx context.Context) (*Conn, error) {
	start := time.Now()
	bounded, cancel := context.WithTimeout(ctx, d.cfg.DialTimeout)
	defer cancel()
	c, err := d.try(bounded)
	if err != nil {
		var fail *DialError
		if errors.As(err, &fail) {
			fail.Err = cause(ctx, fail.Err)
		}
	}
	if traced := d.cfg.Trace.Dialled; traced != nil {
		traced(DialInfo{Addr: d.addr, Duration: time.Since(start), Err: err})
	}
	return c, err
}

// try connects, with at most one second attempt for each of two reasons: the server hung up on HELLO, or refused
// credentials that have changed since.
func (d *dialer) try(ctx context.Context) (*Conn, error) {
	who, err := d.credentials(ctx)
	if err != nil {
		return nil, err
	}
	c, err := d.tryAs(ctx, who)
	if err == nil || d.cfg.Credentials == nil || !errors.Is(err, ErrAuth) {
		return c, err
	}
	again, err2 := d.credentials(ctx)
	if err2 != nil || again == who {
		return nil, err
	}
	return d.tryAs(ctx, again)
}

func (d *dialer) tryAs(ctx context.Context, who credentials) (*Conn, error) {
	hello := d.knowsHello()
	c, err := d.connect(ctx, who, hello)
	if hello && errors.Is(err, errHungUp) && ctx.Err() == nil {
		c, err = d.connect(ctx, who, false)
	}
	if err == nil && c.proto == 2 && c.version == "" && hello {
		d.forgetHello()
	}
	return c, err
}

func (d *dialer) connect(ctx context.Context, who credentials, hello bool) (*Conn, error) {
	nc, err := d.transport(ctx)
	if err != nil {
		return nil, err
	}
	c := newConn(d.addr, nc, d.cfg)
	stop := c.watch(ctx)
	err = c.handshake(d.cfg, who, hello)
	stop()
	if err != nil {
		_ = nc.Close()
		return nil, err
	}
	c.greeting = nil
	return c, nil
}

func (d *dialer) knowsHello() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !time.Now().Before(d.plainUntil)
}

func (d *dialer) forgetHello() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.plainUntil = time.Now().Add(plainMemory)
}
