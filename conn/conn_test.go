package conn_test

import (
	"context"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

func TestConversation(t *testing.T) {
	s := fakeredis.Start(t)
	s.Next().Hello().Expect("GET", "a").Reply("$1\r\nx\r\n").Expect("GET", "b").Reply("_\r\n")

	c := dial(t, s, nil)
	assert.Equal(t, 3, c.Proto())
	assert.Equal(t, "7.0.15", c.Version())
	assert.Equal(t, "127.0.0.1", c.Host())
	assert.Equal(t, s.Addr(), c.Addr())
	assert.False(t, c.TLS())
	sent, received := c.Sent(), c.BytesIn()
	assert.Equal(t, int64(len(fakeredis.Welcome)), received)

	send(t, c, get("a"), get("b"))
	assert.Equal(t, 2, c.Pending())
	assert.Equal(t, int64(2*len("*2\r\n$3\r\nGET\r\n$1\r\na\r\n")), c.Sent()-sent)

	a, ok, err := c.Reader().BulkString()
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, "x", a)
	c.Received()
	b, err := c.Reader().Bulk()
	require.NoError(t, err)
	assert.Nil(t, b)
	c.Received()
	assert.Zero(t, c.Pending())
	assert.Equal(t, int64(len("$1\r\nx\r\n_\r\n")), c.BytesIn()-received)
}

func TestPushFrames(t *testing.T) {
	t.Run("A11 push between two replies", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Hello().Expect("SET", "a", "b").Expect("INCR", "c").
			Reply("+OK\r\n>2\r\n$10\r\ninvalidate\r\n_\r\n:1\r\n")
		c := dial(t, s, nil)
		send(t, c, []string{"SET", "a", "b"}, []string{"INCR", "c"})
		v, err := c.Reader().Bulk()
		require.NoError(t, err)
		assert.Equal(t, "OK", string(v))
		c.Received()
		n, err := c.Reader().Int()
		require.NoError(t, err)
		assert.Equal(t, int64(1), n)
	})
}

func TestBrokenConversation(t *testing.T) {
	for name, reply := range map[string]string{
		"A21 closed in a bulk":        "$10\r\nabc",
		"A21 closed in an array":      "*2\r\n$1\r\na\r\n",
		"A21 closed before the reply": "",
	} {
		t.Run(name, func(t *testing.T) {
			s := fakeredis.Start(t)
			s.Next().Hello().Expect("GET", "a").Expect("GET", "b").Reply(reply).Close()
			c := dial(t, s, nil)
			send(t, c, get("a"), get("b"))
			for range 2 { // the second one has no reply either
				_, err := c.Reader().Value()
				err = c.Fail(err)
				require.ErrorIs(t, err, io.ErrUnexpectedEOF)
				assert.ErrorContains(t, err, s.Addr())
				assert.False(t, conn.Unsent(err), "the outcome is unknown")
				assert.Equal(t, err, c.Broken())
			}
			_, err := c.Do(t.Context(), "GET", "c")
			assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
		})
	}
	t.Run("E2 after the first failure nobody reads on", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Hello().Expect("GET", "a").Reply("@what\r\n")
		p := newPool(t, s, nil)
		c := checkout(t, p)
		_, err := c.Do(t.Context(), "GET", "a")
		require.ErrorAs(t, err, new(*resp.ProtocolError))
		assert.ErrorContains(t, err, s.Addr())
		_, again := c.Do(t.Context(), "GET", "b")
		assert.Equal(t, err, again)
		p.Put(c)
		assert.Zero(t, p.Stats().Open)
	})
	t.Run("E8 what the server said before it closed is the error", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Hello().Reply("-ERR max number of clients reached\r\n")
		w := new(wrapped)
		c := dial(t, s, wrap(w))
		w.onWrite = func([]byte) (int, error) { return 0, syscall.EPIPE }
		_, err := c.Do(t.Context(), "GET", "a")
		var said *resp.Error
		require.ErrorAs(t, err, &said)
		assert.Equal(t, "ERR max number of clients reached", said.Error())
		assert.Error(t, c.Broken())
	})
	t.Run("E8 a silent close is reported as such", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Hello()
		w := new(wrapped)
		c := dial(t, s, wrap(w))
		w.onWrite = func([]byte) (int, error) { return 0, syscall.EPIPE }
		_, err := c.Do(t.Context(), "GET", "a")
		require.ErrorIs(t, err, syscall.EPIPE)
	})
}

func TestUnsent(t *testing.T) {
	fail := func(accept int) func([]byte) (int, error) {
		return func([]byte) (int, error) { return accept, syscall.ECONNRESET }
	}
	tests := []struct {
		name   string
		accept int
		want   bool
	}{
		{"E23 no byte accepted: not executed", 0, true},
		{"E23 some bytes accepted: unknown", 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeredis.Start(t)
			w := new(wrapped)
			c := dial(t, s, wrap(w))
			w.onWrite = fail(tt.accept)
			_, err := c.Do(t.Context(), "GET", "a")
			require.ErrorIs(t, err, syscall.ECONNRESET)
			assert.Equal(t, tt.want, conn.Unsent(err))
		})
	}
	t.Run("E23 part of it accepted earlier: unknown", func(t *testing.T) {
		s := fakeredis.Start(t)
		w := new(wrapped)
		c := dial(t, s, wrap(w))
		w.onWrite = func([]byte) (int, error) { return 3, os.ErrDeadlineExceeded }
		c.Commit(resp.AppendCommand(c.Out(), "GET", "a"), 1)
		done, err := c.Flush()
		require.NoError(t, err)
		require.False(t, done)
		c.Commit(resp.AppendCommand(c.Out(), "GET", "b"), 1)
		w.onWrite = fail(0)
		_, err = c.Flush()
		require.Error(t, err)
		assert.False(t, conn.Unsent(err))
	})
}

func TestDo(t *testing.T) {
	t.Run("E27 an error reply leaves the connection whole", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Hello().Expect("GET", "a").Reply("-WRONGTYPE no\r\n").Expect("GET", "b").Reply("$-1\r\n")
		c := dial(t, s, nil)
		_, err := c.Do(t.Context(), "GET", "a")
		var said *resp.Error
		require.ErrorAs(t, err, &said)
		assert.Equal(t, "WRONGTYPE", said.Code())
		assert.NoError(t, c.Broken())
		v, err := c.Do(t.Context(), "GET", "b")
		require.NoError(t, err)
		assert.True(t, v.IsNull())
	})
	t.Run("E1 not while a reply is owed", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Hello().Expect("GET", "a")
		c := dial(t, s, &conn.Config{Timeout: time.Millisecond})
		_, err := c.Do(t.Context(), "GET", "a")
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		_, err = c.Do(t.Context(), "GET", "b")
		require.ErrorIs(t, err, conn.ErrOwed)
		assert.True(t, conn.Unsent(err))
	})
	t.Run("closed", func(t *testing.T) {
		s := fakeredis.Start(t)
		c := dial(t, s, nil)
		require.NoError(t, c.Close())
		_, err := c.Do(t.Context(), "GET", "a")
		require.ErrorIs(t, err, net.ErrClosed)
		assert.True(t, conn.Unsent(err))
	})
}

func TestOneWritePerFlush(t *testing.T) {
	t.Run("E22 one write for the handshake, one for a batch", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Handle(fakeredis.Ready(func(*fakeredis.Peer, []string) []byte { return []byte("$1\r\nx\r\n") }))
		w := new(wrapped)
		cfg := wrap(w)
		cfg.Password, cfg.ClientName, cfg.LibInfo = secret, "me", true
		c := dial(t, s, cfg)
		assert.Equal(t, int32(1), w.writes.Load())
		cmds := make([][]string, 1000)
		for i := range cmds {
			cmds[i] = get(strings.Repeat("k", 100))
		}
		send(t, c, cmds...)
		assert.Equal(t, int32(2), w.writes.Load())
		done, err := c.Flush()
		require.NoError(t, err)
		assert.True(t, done, "nothing to send")
		assert.Equal(t, int32(2), w.writes.Load())
	})
}

func TestWhoseDeadline(t *testing.T) {
	silent := func(t *testing.T) *fakeredis.Server {
		s := fakeredis.Start(t)
		s.Next().Hello().Expect("GET", "a")
		return s
	}
	t.Run("E28 the caller's deadline", func(t *testing.T) {
		s := silent(t)
		c := dial(t, s, nil)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, err := c.Do(ctx, "GET", "a")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, s.Addr())
	})
	t.Run("E28 the caller's cancel", func(t *testing.T) {
		s := fakeredis.Start(t)
		ctx, cancel := context.WithCancel(t.Context())
		s.Next().Hello().Expect("GET", "a").Then(func(*fakeredis.Peer) { cancel() })
		_, err := dial(t, s, nil).Do(ctx, "GET", "a")
		require.ErrorIs(t, err, context.Canceled)
	})
	t.Run("E28 ours", func(t *testing.T) {
		s := silent(t)
		c := dial(t, s, &conn.Config{Timeout: time.Millisecond})
		_, err := c.Do(t.Context(), "GET", "a")
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		assert.NotErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, s.Addr())
	})
}

func TestRetryOnReusedConnection(t *testing.T) {
	t.Run("E14 an idle connection died unnoticed: nothing was sent, and it is known to be an old one", func(t *testing.T) {
		s := fakeredis.Start(t)
		w := new(wrapped)
		p := newPool(t, s, wrap(w))
		fresh := checkout(t, p)
		assert.False(t, fresh.Reused())
		p.Put(fresh)
		old := checkout(t, p)
		require.Same(t, fresh, old)
		assert.True(t, old.Reused())
		w.onWrite = func([]byte) (int, error) { return 0, syscall.EPIPE }
		_, err := old.Do(t.Context(), "PING")
		require.Error(t, err)
		assert.True(t, conn.Unsent(err))
		p.Put(old)

		w.onWrite = nil
		next := checkout(t, p)
		assert.False(t, next.Reused())
		_, err = next.Do(t.Context(), "PING")
		require.NoError(t, err)
		p.Put(next)
	})
}
