package conn_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

// dial connects to s until the test ends.
func dial(t *testing.T, s *fakeredis.Server, cfg *conn.Config) *conn.Conn {
	t.Helper()
	c, err := conn.Dial(t.Context(), s.Addr(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// send commits commands that get one reply each and flushes them.
func send(t *testing.T, c *conn.Conn, cmds ...[]string) {
	t.Helper()
	out := c.Out()
	for _, cmd := range cmds {
		out = resp.AppendCommand(out, cmd...)
	}
	c.Commit(out, len(cmds))
	done, err := c.Flush()
	require.NoError(t, err)
	require.True(t, done)
}

func get(key string) []string { return []string{"GET", key} }

func newPool(t *testing.T, s *fakeredis.Server, cfg *conn.Config) *conn.Pool {
	t.Helper()
	p := conn.NewPool(s.Addr(), cfg)
	t.Cleanup(p.Close)
	return p
}

func checkout(t *testing.T, p *conn.Pool) *conn.Conn {
	t.Helper()
	c, err := p.Get(t.Context())
	require.NoError(t, err)
	return c
}

// eventually waits until a condition that other goroutines bring about holds.
func eventually(t *testing.T, ok func() bool, msg string) {
	t.Helper()
	require.Eventually(t, ok, 10*time.Second, time.Millisecond, msg)
}

// wrapped lets a test stand between a connection and its socket. It still offers the socket, for the peek.
type wrapped struct {
	net.Conn
	writes  atomic.Int32
	onWrite func(p []byte) (int, error) // instead of the socket's, if set
}

func (w *wrapped) Write(p []byte) (int, error) {
	w.writes.Add(1)
	if w.onWrite != nil {
		return w.onWrite(p)
	}
	return w.Conn.Write(p)
}

func (w *wrapped) NetConn() net.Conn { return w.Conn }

// wrap makes a configuration whose last connection is w.
func wrap(w *wrapped) *conn.Config {
	return &conn.Config{Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		nc, err := new(net.Dialer).DialContext(ctx, network, addr)
		w.Conn = nc
		return w, err
	}}
}
