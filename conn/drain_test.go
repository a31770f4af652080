package conn_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

func bulk(s string) []byte { return resp.AppendBulkString(nil, s) }

// A caller is gone before its reply is there. The replies of the table come after that, and the next caller must not
// see them.
func TestDebts(t *testing.T) {
	tests := []struct {
		name    string
		owed    int           // commands sent and not answered when the connection is put back
		delay   time.Duration // of the first reply
		reply   string        // to each command
		drained bool
	}{
		{"E1 a late reply is read in the background", 1, 100 * time.Millisecond, "$3\r\nfoo\r\n", true},
		{"E1 several are", 64, 100 * time.Millisecond, "$3\r\nfoo\r\n", true},
		{"E1 errors are replies", 2, 100 * time.Millisecond, "-ERR no\r\n", true},
		{"E1 pushes behind them are none", 1, 100 * time.Millisecond, "$3\r\nfoo\r\n>1\r\n+x\r\n", true},
		{"E1 more comes than was owed", 1, 100 * time.Millisecond, "$3\r\nfoo\r\n$3\r\nbar\r\n", false},
		{"E5 no reply comes in time", 1, 300 * time.Millisecond, "$3\r\nfoo\r\n", false},
		{"too many are owed", 65, 100 * time.Millisecond, "$3\r\nfoo\r\n", false},
		{"too many bytes come", 1, 100 * time.Millisecond, string(bulk(strings.Repeat("x", 400<<10))), false},
		{"no reply comes at all", 1, time.Hour, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				defer time.Sleep(2 * time.Hour) // of the bubble: until the handlers have woken
				f := &farm{handler: func(_ *fakeredis.Peer, cmd []string) []byte {
					if cmd[1] == "mine" {
						return bulk("mine")
					}
					if cmd[1] == "0" {
						time.Sleep(tt.delay)
					}
					return []byte(tt.reply)
				}}
				p := conn.NewPool("node", f.config(conn.Config{MaxConns: 1}))
				defer p.Close()
				c := checkout(t, p)
				cmds := make([][]string, tt.owed)
				for i := range cmds {
					cmds[i] = get(fmt.Sprint(i))
				}
				send(t, c, cmds...)
				c.SetDeadline(time.Now().Add(time.Millisecond))
				_, err := c.Reader().Kind()
				require.ErrorIs(t, err, os.ErrDeadlineExceeded)
				p.Put(c)

				next := checkout(t, p) // waits for the drain: there is one connection
				assert.Equal(t, tt.drained, next == c)
				v, err := next.Do(t.Context(), "GET", "mine")
				require.NoError(t, err)
				assert.Equal(t, "mine", v.Text)
				p.Put(next)
				if tt.drained {
					assert.Equal(t, uint64(1), p.Stats().Drains)
					assert.Equal(t, 1, f.dials)
				}
				assert.Equal(t, 1, p.Stats().Open)
				assert.Equal(t, 1, f.mostLive)
			})
		})
	}
}

// The caller left in the middle of a reply.
func TestDebtInsideReply(t *testing.T) {
	soon := func(c *conn.Conn) { c.SetDeadline(time.Now().Add(time.Millisecond)) }
	leave := map[string]func(*testing.T, *conn.Conn){
		"after the header": func(t *testing.T, c *conn.Conn) {
			_, err := c.Reader().Array()
			require.NoError(t, err)
		},
		"after an element": func(t *testing.T, c *conn.Conn) {
			_, err := c.Reader().Array()
			require.NoError(t, err)
			_, err = c.Reader().Bulk()
			require.NoError(t, err)
		},
		"in a call of Value": func(t *testing.T, c *conn.Conn) {
			soon(c)
			_, err := c.Reader().Value()
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		},
		"in a call of Skip": func(t *testing.T, c *conn.Conn) {
			soon(c)
			require.ErrorIs(t, c.Reader().Skip(), os.ErrDeadlineExceeded)
		},
		"in an element": func(t *testing.T, c *conn.Conn) {
			_, err := c.Reader().Array()
			require.NoError(t, err)
			_, err = c.Reader().Bulk()
			require.NoError(t, err)
			soon(c)
			_, err = c.Reader().Bulk()
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		},
	}
	for name, left := range leave {
		t.Run("E1 "+name, func(t *testing.T) {
			s := fakeredis.Start(t)
			begun := make(chan struct{})
			script := s.Next().Hello().Expect("MGET", "a", "b").Expect("GET", "c").
				Reply("*2\r\n$1\r\na\r\n$1\r").Signal(begun)
			p := newPool(t, s, &conn.Config{MaxConns: 1})
			c := checkout(t, p)
			send(t, c, []string{"MGET", "a", "b"}, get("c"))
			<-begun
			left(t, c)
			c.Abort()
			p.Put(c)
			script.Reply("\nb\r\n$1\r\nc\r\n").Expect("GET", "d").Reply("$1\r\nd\r\n")
			next := checkout(t, p)
			assert.Same(t, c, next)
			v, err := next.Do(t.Context(), "GET", "d")
			require.NoError(t, err)
			assert.Equal(t, "d", v.Text)
			p.Put(next)
		})
	}
}

// The late reply brings another one along, which is in the read buffer then and not in the socket.
func TestDebtWithMore(t *testing.T) {
	for _, left := range []string{"before the reply", "after it"} {
		t.Run("E1 "+left, func(t *testing.T) {
			s := fakeredis.Start(t)
			script := s.Next().Hello().Expect("GET", "a")
			p := newPool(t, s, &conn.Config{MaxConns: 1})
			c := checkout(t, p)
			send(t, c, get("a"))
			late := "$3\r\nfoo\r\n$3\r\nbar\r\n"
			if left == "after it" {
				script.Reply(late)
				_, err := c.Reader().Bulk()
				require.NoError(t, err)
				c.Received()
				p.Put(c)
			} else {
				p.Put(c)
				script.Reply(late)
			}
			next := checkout(t, p)
			assert.NotSame(t, c, next)
			v, err := next.Do(t.Context(), "PING")
			require.NoError(t, err)
			assert.Equal(t, "PONG", v.Text)
			p.Put(next)
		})
	}
}

func TestPutUnsent(t *testing.T) {
	t.Run("what was not sent at all is forgotten", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Hello().Expect("GET", "b").Reply("$1\r\nb\r\n")
		p := newPool(t, s, nil)
		c := checkout(t, p)
		c.Commit(resp.AppendCommand(c.Out(), "GET", "a"), 1)
		p.Put(c)
		next := checkout(t, p)
		require.Same(t, c, next)
		v, err := next.Do(t.Context(), "GET", "b")
		require.NoError(t, err)
		assert.Equal(t, "b", v.Text)
		p.Put(next)
	})
	for name, commit := range map[string]func(*conn.Conn){
		"half a request":        func(*conn.Conn) {},
		"half a request, moved": func(c *conn.Conn) { c.Out() },
	} {
		t.Run(name+" breaks the stream", func(t *testing.T) {
			s := fakeredis.Start(t)
			w := new(wrapped)
			p := newPool(t, s, wrap(w))
			c := checkout(t, p)
			w.onWrite = func(b []byte) (int, error) { return 5, os.ErrDeadlineExceeded }
			c.Commit(resp.AppendCommand(c.Out(), "GET", "a"), 1)
			done, err := c.Flush()
			require.NoError(t, err)
			require.False(t, done)
			commit(c)
			p.Put(c)
			assert.Zero(t, p.Stats().Open)
			assert.Equal(t, uint64(1), p.Stats().Dropped)
		})
	}
}

func TestDrainsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &farm{handler: func(*fakeredis.Peer, []string) []byte { return nil }}
		p := conn.NewPool("node", f.config(conn.Config{}))
		defer p.Close()
		var cs []*conn.Conn
		for range 5 {
			c := checkout(t, p)
			send(t, c, get("a"))
			cs = append(cs, c)
		}
		for _, c := range cs {
			p.Put(c)
		}
		st := p.Stats()
		assert.Equal(t, []int{2, 2, 0}, []int{st.Open, st.Draining, st.InUse})
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Zero(t, p.Stats().Open)
		assert.Zero(t, f.liveNow())
	})
}

func TestCloseEndsDrains(t *testing.T) {
	t.Run("E20 Close waits for them, and not long", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := &farm{handler: func(*fakeredis.Peer, []string) []byte { return nil }}
			p := conn.NewPool("node", f.config(conn.Config{}))
			c := checkout(t, p)
			send(t, c, get("a"))
			p.Put(c)
			start := time.Now()
			p.Close()
			assert.Zero(t, time.Since(start))
			assert.Zero(t, f.liveNow())
			assert.Zero(t, p.Stats().Open)
		})
	})
}

// Many callers ask for keys of their own and give up at random times. A foreign value would be another user's data.
func TestNobodySeesAnothersReply(t *testing.T) {
	t.Run("E1 E6 ten thousand cancels", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			const callers, rounds = 50, 200
			f := &farm{
				delay: time.Millisecond,
				handler: func(_ *fakeredis.Peer, cmd []string) []byte {
					time.Sleep(time.Duration(rand.IntN(4)) * time.Millisecond)
					return bulk(cmd[1])
				},
			}
			p := conn.NewPool("node", f.config(conn.Config{MaxConns: 8}))
			answered := make([]int, callers)
			var wg sync.WaitGroup
			for i := range callers {
				wg.Go(func() {
					for n := range rounds {
						ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(10))*time.Millisecond)
						key := fmt.Sprintf("key %d of %d", n, i)
						if c, err := p.Get(ctx); err == nil {
							v, err := c.Do(ctx, "GET", key)
							if err == nil && !assert.Equal(t, key, v.Text) {
								t.Fail()
							}
							if err == nil {
								answered[i]++
							}
							p.Put(c)
						}
						cancel()
					}
				})
			}
			wg.Wait()
			time.Sleep(time.Second) // for the drains
			synctest.Wait()
			st := p.Stats()
			assert.Zero(t, st.InUse)
			assert.Zero(t, st.Waiting)
			assert.Equal(t, f.liveNow(), st.Open)
			assert.LessOrEqual(t, f.mostLive, 8)
			assert.Positive(t, st.Drains)
			total := 0
			for _, n := range answered {
				total += n
			}
			assert.Positive(t, total)
			assert.Less(t, total, callers*rounds)
			p.Close()
			assert.Zero(t, f.liveNow())
		})
	})
}
