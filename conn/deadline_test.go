package conn_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

var past = time.Unix(1, 0)

func TestTimeSlices(t *testing.T) {
	t.Run("a reply goes on where the last slice ended", func(t *testing.T) {
		s := fakeredis.Start(t)
		script := s.Next().Hello().Expect("MGET", "a", "b").Reply("*2\r\n$1\r\nx\r\n$3\r\nab")
		c := dial(t, s, nil)
		send(t, c, []string{"MGET", "a", "b"})
		c.SetDeadline(time.Now().Add(time.Minute))
		n, err := c.Reader().Array()
		require.NoError(t, err)
		require.Equal(t, 2, n)
		a, err := c.Reader().Bulk()
		require.NoError(t, err)
		assert.Equal(t, "x", string(a))

		for range 3 {
			c.SetDeadline(time.Now().Add(time.Millisecond))
			_, err = c.Reader().Bulk()
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			require.NoError(t, c.Broken())
		}
		script.Reply("c\r\n")
		c.SetDeadline(time.Now().Add(time.Minute))
		b, err := c.Reader().Bulk()
		require.NoError(t, err)
		assert.Equal(t, "abc", string(b))
		c.Received()
		assert.Zero(t, c.Reader().Depth())
	})
	t.Run("E7 the peer reads no more until its replies are read", func(t *testing.T) {
		const commands, size, buffer = 64, 64 << 10, 128 << 10
		s := fakeredis.Start(t)
		s.Next().Hello().Then(func(p *fakeredis.Peer) {
			small(t, p.Conn, buffer)
			for {
				cmd, err := p.Command()
				if err != nil {
					return
				}
				if _, err := p.Write(resp.AppendBulkString(nil, cmd[1])); err != nil {
					return
				}
			}
		})
		c := dial(t, s, &conn.Config{Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			nc, err := new(net.Dialer).DialContext(ctx, network, addr)
			small(t, nc, buffer)
			return nc, err
		}})
		payload := bytes.Repeat([]byte("x"), size)
		out := c.Out()
		for range commands {
			out = resp.AppendArray(out, 2)
			out = resp.AppendBulkString(out, "ECHO")
			out = resp.AppendBulk(out, payload)
		}
		c.Commit(out, commands)
		unfinished := 0
		for c.Pending() > 0 {
			c.SetDeadline(time.Now().Add(time.Millisecond))
			done, err := c.Flush()
			require.NoError(t, err)
			if !done {
				unfinished++
			}
			c.SetDeadline(time.Now().Add(time.Millisecond))
			for c.Pending() > 0 {
				b, err := c.Reader().Bulk()
				if errors.Is(err, os.ErrDeadlineExceeded) {
					break
				}
				require.NoError(t, err)
				require.True(t, bytes.Equal(payload, b))
				c.Received()
			}
		}
		assert.NotZero(t, unfinished, "the buffers of the sockets held it all")
		assert.Empty(t, c.Out())
	})
	t.Run("a request is appended to an unfinished one", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Hello().Expect("GET", "a").Expect("GET", "b").Reply("+1\r\n+2\r\n")
		w := new(wrapped)
		c := dial(t, s, wrap(w))
		w.onWrite = func(p []byte) (int, error) {
			n, err := w.Conn.Write(p[:5])
			return n, errors.Join(err, os.ErrDeadlineExceeded)
		}
		c.Commit(resp.AppendCommand(c.Out(), get("a")...), 1)
		done, err := c.Flush()
		require.NoError(t, err)
		require.False(t, done)
		w.onWrite = nil
		send(t, c, get("b"))
		for range 2 {
			_, err := c.Reader().Bulk()
			require.NoError(t, err)
			c.Received()
		}
	})
}

// small makes the socket's buffers small.
func small(t *testing.T, nc net.Conn, size int) {
	tc := nc.(*net.TCPConn)
	assert.NoError(t, tc.SetReadBuffer(size))
	assert.NoError(t, tc.SetWriteBuffer(size))
}

func TestLimit(t *testing.T) {
	s := fakeredis.Start(t)
	c := dial(t, s, nil)
	t.Run("no deadline reaches beyond it", func(t *testing.T) {
		c.SetLimit(time.Now().Add(time.Millisecond))
		c.SetDeadline(time.Now().Add(time.Hour))
		_, err := c.Reader().Kind()
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		c.SetDeadline(time.Time{})
		_, err = c.Reader().Kind()
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	})
	t.Run("a flush after it fails, and the connection is whole", func(t *testing.T) {
		c.Commit(resp.AppendCommand(c.Out(), "PING"), 1)
		done, err := c.Flush()
		require.False(t, done)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		assert.ErrorContains(t, err, s.Addr())
		assert.True(t, conn.Unsent(err))
		assert.NoError(t, c.Broken())
	})
	t.Run("without it all goes on", func(t *testing.T) {
		c.SetLimit(time.Time{})
		done, err := c.Flush()
		require.NoError(t, err)
		require.True(t, done)
		v, err := c.Reader().Bulk()
		require.NoError(t, err)
		assert.Equal(t, "PONG", string(v))
	})
}

func TestAbort(t *testing.T) {
	t.Run("E4 a blocked read wakes", func(t *testing.T) {
		s := fakeredis.Start(t)
		c := dial(t, s, nil)
		s.Handle(func(*fakeredis.Peer, []string) []byte { c.Abort(); return nil })
		send(t, c, get("a"))
		_, err := c.Reader().Kind()
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	})
	t.Run("it is sticky", func(t *testing.T) {
		s := fakeredis.Start(t)
		c := dial(t, s, nil)
		c.Abort()
		for _, set := range []func(time.Time){c.SetDeadline, c.SetLimit} {
			set(time.Now().Add(time.Minute))
			_, err := c.Reader().Kind()
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			c.Commit(resp.AppendCommand(c.Out(), "PING"), 1)
			done, err := c.Flush()
			require.False(t, done)
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		}
		assert.NoError(t, c.Broken())
	})
	t.Run("it is sticky whenever it comes", func(t *testing.T) {
		s := fakeredis.Start(t)
		p := newPool(t, s, nil)
		for range 200 {
			c := checkout(t, p)
			aborted := make(chan struct{})
			go func() { c.Abort(); close(aborted) }()
			for range 10 {
				c.SetDeadline(time.Now().Add(time.Minute))
			}
			_, err := c.Reader().Kind()
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			<-aborted
			p.Put(c)
		}
		assert.Equal(t, 1, s.Accepted(), "none was lost")
	})
	t.Run("E4 the pool clears it, and the deadlines", func(t *testing.T) {
		s := fakeredis.Start(t)
		p := newPool(t, s, nil)
		c := checkout(t, p)
		c.SetLimit(past)
		c.SetDeadline(past)
		c.Abort()
		p.Put(c)
		again := checkout(t, p)
		require.Same(t, c, again)
		_, err := again.Do(t.Context(), "PING")
		require.NoError(t, err)
		p.Put(again)
	})
}
