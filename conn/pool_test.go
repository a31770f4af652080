package conn_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/internal/race"
	"github.com/slotcast/slotcast/resp"
)

func TestPoolReuses(t *testing.T) {
	s := fakeredis.Start(t)
	p := newPool(t, s, nil)
	for i := range 3 {
		c := checkout(t, p)
		assert.Equal(t, i > 0, c.Reused())
		v, err := c.Do(t.Context(), "PING")
		require.NoError(t, err)
		assert.Equal(t, "PONG", v.Text)
		p.Put(c)
	}
	assert.Equal(t, 1, s.Accepted())
	st := p.Stats()
	assert.Equal(t, conn.PoolStats{Open: 1, Idle: 1, Gets: 3, Reused: 2, Waits: 1, WaitTime: st.WaitTime, Dials: 1,
		Writes: st.Writes, Reads: st.Reads, BytesOut: st.BytesOut, BytesIn: st.BytesIn}, st)
}

func TestPoolLastInFirstOut(t *testing.T) {
	s := fakeredis.Start(t)
	p := newPool(t, s, nil)
	a, b := checkout(t, p), checkout(t, p)
	p.Put(a)
	p.Put(b)
	c := checkout(t, p)
	assert.Same(t, b, c)
	p.Put(c)
}

func TestPoolCountsTraffic(t *testing.T) {
	s := fakeredis.Start(t)
	s.Next().Hello().
		Expect("PING").Reply("+PONG\r\n").
		Expect("PING").Reply("+PO").Close()
	p := newPool(t, s, nil)
	c := checkout(t, p)
	before := p.Stats()
	assert.Equal(t, [2]uint64{1, 1}, [2]uint64{before.Writes, before.Reads}, "the handshake")
	_, err := c.Do(t.Context(), "PING")
	require.NoError(t, err)
	assert.Equal(t, before.Writes, p.Stats().Writes, "what is under way does not count yet")
	p.Put(c)
	st := p.Stats()
	assert.Equal(t, [4]uint64{1, 1, uint64(len("*1\r\n$4\r\nPING\r\n")), uint64(len("+PONG\r\n"))},
		[4]uint64{st.Writes - before.Writes, st.Reads - before.Reads, st.BytesOut - before.BytesOut, st.BytesIn - before.BytesIn})

	before = st
	c = checkout(t, p)
	_, err = c.Do(t.Context(), "PING")
	require.Error(t, err)
	p.Put(c)
	st = p.Stats()
	assert.Zero(t, st.Open)
	assert.Equal(t, [3]uint64{1, uint64(len("*1\r\n$4\r\nPING\r\n")), uint64(len("+PO"))},
		[3]uint64{st.Writes - before.Writes, st.BytesOut - before.BytesOut, st.BytesIn - before.BytesIn}, "of a broken one too")
}

func TestPoolAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates on its own account")
	}
	s := fakeredis.Start(t)
	s.Next().Hello().Then(func(p *fakeredis.Peer) {
		pong := []byte("+PONG\r\n")
		ping := make([]byte, len("*1\r\n$4\r\nPING\r\n"))
		for {
			if _, err := io.ReadFull(p.Conn, ping); err != nil {
				return
			}
			_, _ = p.Write(pong)
		}
	})
	p := newPool(t, s, nil)
	p.Put(checkout(t, p))
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	t.Run("Get and Put of an idle connection", func(t *testing.T) {
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			c, err := p.Get(ctx)
			if err != nil {
				t.Fatal(err)
			}
			c.SetLimit(time.Now().Add(time.Minute))
			c.SetDeadline(time.Now().Add(time.Second))
			p.Put(c)
		}))
	})
	t.Run("a conversation", func(t *testing.T) {
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			c, err := p.Get(ctx)
			if err != nil {
				t.Fatal(err)
			}
			out := resp.AppendArray(c.Out(), 1)
			c.Commit(resp.AppendBulkString(out, "PING"), 1)
			if done, err := c.Flush(); !done || err != nil {
				t.Fatal(done, err)
			}
			if b, err := c.Reader().Bulk(); err != nil || string(b) != "PONG" {
				t.Fatal(string(b), err)
			}
			c.Received()
			p.Put(c)
			p.Report(nil)
		}))
	})
	assert.Equal(t, 1, s.Accepted(), "it was one connection all along")
}

// An idle connection on which something happens is not handed out again.
func TestPoolLooksBeforeReuse(t *testing.T) {
	tests := []struct {
		name   string
		happen func(*fakeredis.Script)
		kept   bool
	}{
		{"E14 nothing", func(*fakeredis.Script) {}, true},
		{"E14 closed by the peer", func(s *fakeredis.Script) { s.Close() }, false},
		{"E14 reset by the peer", func(s *fakeredis.Script) { s.Reset() }, false},
		{"A23 a late reply", func(s *fakeredis.Script) { s.Reply("$3\r\nfoo\r\n") }, false},
		{"A23 an error before the close", func(s *fakeredis.Script) { s.Reply("-ERR timeout\r\n").Close() }, false},
		{"A11 A23 a push", func(s *fakeredis.Script) { s.Reply(">2\r\n$10\r\ninvalidate\r\n_\r\n") }, true},
		{"A11 A23 two pushes", func(s *fakeredis.Script) { s.Reply(">1\r\n+a\r\n>1\r\n+b\r\n") }, true},
		{"A11 A23 half a push", func(s *fakeredis.Script) { s.Reply(">2\r\n$10\r\nin") }, false},
		{"A11 A23 a push with a reply behind it", func(s *fakeredis.Script) { s.Reply(">1\r\n+a\r\n+OK\r\n") }, false},
		{"A11 A23 a push, then closed", func(s *fakeredis.Script) { s.Reply(">1\r\n+a\r\n").Close() }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeredis.Start(t)
			happened := make(chan struct{})
			first := s.Next().Hello()
			p := newPool(t, s, nil)
			c := checkout(t, p)
			p.Put(c)
			tt.happen(first)
			first.Signal(happened).Serve()
			<-happened
			s.Handle(fakeredis.Ready(func(*fakeredis.Peer, []string) []byte { return []byte("$1\r\nx\r\n") }))
			again := checkout(t, p)
			assert.Equal(t, tt.kept, again == c)
			v, err := again.Do(t.Context(), "GET", "a")
			require.NoError(t, err)
			assert.Equal(t, "x", v.Text)
			p.Put(again)
			assert.Equal(t, 1, p.Stats().Open)
			assert.Equal(t, uint64(2), p.Stats().Gets)
			if !tt.kept {
				assert.Equal(t, uint64(1), p.Stats().Stale)
			}
		})
	}
}
