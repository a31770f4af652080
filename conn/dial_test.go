package conn_test

import (
	"context"
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
)

// Where a dial may hang.
var hangs = map[string]*conn.Config{
	"transport": {Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}},
	"handshake": {Dial: func(context.Context, string, string) (net.Conn, error) {
		return fakeredis.Pipe(func(*fakeredis.Peer, []string) []byte { return nil }), nil
	}},
	"credentials": {
		Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("not reached") },
		Credentials: func(ctx context.Context, _ string) (string, string, error) {
			<-ctx.Done()
			return "", "", ctx.Err()
		},
	},
}

func TestDialEnds(t *testing.T) {
	const addr = "node:6379"
	for where, cfg := range hangs {
		t.Run(where, func(t *testing.T) {
			t.Run("E4 E28 with the caller's deadline", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					start := time.Now()
					ctx, cancel := context.WithTimeout(t.Context(), time.Second)
					defer cancel()
					_, err := conn.Dial(ctx, addr, cfg)
					require.ErrorIs(t, err, context.DeadlineExceeded)
					assert.ErrorContains(t, err, addr)
					assert.Equal(t, time.Second, time.Since(start))
				})
			})
			t.Run("E4 E28 with the caller's cancel", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					time.AfterFunc(time.Second, cancel)
					_, err := conn.Dial(ctx, addr, cfg)
					require.ErrorIs(t, err, context.Canceled)
				})
			})
			t.Run("E28 with our timeout", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					start := time.Now()
					ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
					defer cancel()
					_, err := conn.Dial(ctx, addr, cfg)
					require.ErrorIs(t, err, os.ErrDeadlineExceeded)
					assert.NotErrorIs(t, err, context.DeadlineExceeded)
					assert.Equal(t, 5*time.Second, time.Since(start))
				})
			})
		})
	}
}

func TestDialErrors(t *testing.T) {
	t.Run("nobody listens", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Close()
		_, err := conn.Dial(t.Context(), s.Addr(), nil)
		var dial *conn.DialError
		require.ErrorAs(t, err, &dial)
		assert.Equal(t, "dial", dial.Op)
		assert.Equal(t, "conn: dial "+s.Addr()+": connect: connection refused", err.Error())
		assert.ErrorIs(t, err, syscall.ECONNREFUSED)
	})
	t.Run("traced", func(t *testing.T) {
		s := fakeredis.Start(t)
		var seen []conn.DialInfo
		cfg := &conn.Config{Trace: &conn.Trace{Dialled: func(i conn.DialInfo) { seen = append(seen, i) }}}
		dial(t, s, cfg)
		s.Close()
		_, err := conn.Dial(t.Context(), s.Addr(), cfg)
		require.Len(t, seen, 2)
		assert.NoError(t, seen[0].Err)
		assert.Positive(t, seen[0].Duration)
		assert.Equal(t, err, seen[1].Err)
		assert.Equal(t, s.Addr(), seen[1].Addr)
	})
}

func TestHelloIsTriedAgain(t *testing.T) {
	t.Run("E10 what was learned about HELLO is not kept for ever", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var hellos int
			known := false
			p := conn.NewPool("node:6379", &conn.Config{
				MaxIdleTime: time.Nanosecond,
				Dial: func(context.Context, string, string) (net.Conn, error) {
					return fakeredis.Pipe(func(_ *fakeredis.Peer, cmd []string) []byte {
						switch {
						case cmd[0] == "PING":
							return []byte("+PONG\r\n")
						case known:
							return fakeredis.Welcome
						default:
							hellos++
							return []byte("-ERR unknown command 'HELLO'\r\n")
						}
					}), nil
				},
			})
			defer p.Close()
			visit := func() int {
				time.Sleep(time.Second) // on the bubble's clock; the idle connection expires
				c := checkout(t, p)
				defer p.Put(c)
				return c.Proto()
			}
			for range 3 {
				require.Equal(t, 2, visit())
			}
			assert.Equal(t, 1, hellos)
			known = true
			assert.Equal(t, 2, visit())
			time.Sleep(5 * time.Minute)
			assert.Equal(t, 3, visit())
		})
	})
}

func TestHalfOpen(t *testing.T) {
	t.Run("E13 the network is a black hole", func(t *testing.T) {
		s := fakeredis.Start(t)
		proxy := fakeredis.StartProxy(t, s.Addr())
		c, err := conn.Dial(t.Context(), proxy.Addr(), &conn.Config{Timeout: 20 * time.Millisecond})
		require.NoError(t, err)
		defer c.Close()
		_, err = c.Do(t.Context(), "PING")
		require.NoError(t, err)
		proxy.Hold()
		_, err = c.Do(t.Context(), "PING")
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		assert.ErrorContains(t, err, proxy.Addr())
	})
	t.Run("A21 E13 cut after some bytes of a reply", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Handle(fakeredis.Ready(func(*fakeredis.Peer, []string) []byte { return []byte("$5\r\nhello\r\n") }))
		proxy := fakeredis.StartProxy(t, s.Addr())
		c, err := conn.Dial(t.Context(), proxy.Addr(), nil)
		require.NoError(t, err)
		defer c.Close()
		proxy.CutAfter(6)
		_, err = c.Do(t.Context(), "GET", "a")
		require.ErrorContains(t, err, "EOF")
		assert.Error(t, c.Broken())
	})
}
