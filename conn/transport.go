package conn

import (
	"context"
	"crypto/tls"
	"net"
	"time"
)

// transport opens the TCP connection, and TLS on it.
func (d *dialer) transport(ctx context.Context) (net.Conn, error) {
	dial := d.cfg.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	nc, err := dial(ctx, "tcp", d.addr)
	if err != nil {
		return nil, &DialError{Addr: d.addr, Op: "dial", Err: err}
	}
	if d.cfg.Dial == nil {
		setUserTimeout(nc, userTimeout(d.cfg.Timeout))
	}
	nc = direct(nc)
	if d.cfg.TLS == nil {
		return nc, nil
	}
	tc := tls.Client(nc, d.tlsConfig())
	if err := tc.HandshakeContext(ctx); err != nil {
		_ = nc.Close()
		return nil, &DialError{Addr: d.addr, Op: "tls", Err: explainTLS(err)}
	}
	return tc, nil
}

// tlsConfig is the configured one with the name to verify: that of the node dialled, not one for all. Fault E16.
func (d *dialer) tlsConfig() *tls.Config {
	cfg := d.cfg.TLS.Clone()
	if d.cfg.ServerName != nil {
		cfg.ServerName = d.cfg.ServerName(d.addr)
	}
	if cfg.ServerName == "" {
		cfg.ServerName, _, _ = net.SplitHostPort(d.addr)
	}
	return cfg
}

// userTimeout leaves the conversation's own timeout the first word.
func userTimeout(conversation time.Duration) time.Duration {
	return max(2*conversation, 10*time.Second)
}
