package conn_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/internal/race"
)

func TestAge(t *testing.T) {
	reuse := func(idle time.Duration, want bool) func(*testing.T, *conn.Pool) {
		return func(t *testing.T, p *conn.Pool) {
			c := checkout(t, p)
			p.Put(c)
			time.Sleep(idle)
			next := checkout(t, p)
			assert.Equal(t, want, c == next)
			p.Put(next)
			assert.Equal(t, 1, p.Stats().Open)
		}
	}
	inBubble(t, "E14 idle for less than 3 min", new(farm), conn.Config{}, reuse(179*time.Second, true))
	inBubble(t, "E14 idle for 3 min", new(farm), conn.Config{}, reuse(180*time.Second, false))
	inBubble(t, "idle time without bound", new(farm), conn.Config{MaxIdleTime: -1}, reuse(100*time.Hour, true))
	inBubble(t, "younger than nine tenths of a lifetime", new(farm), conn.Config{MaxLifetime: time.Minute}, reuse(53*time.Second, true))
	inBubble(t, "older than a lifetime", new(farm), conn.Config{MaxLifetime: time.Minute}, reuse(61*time.Second, false))
	f := new(farm)
	inBubble(t, "the unneeded grow old beneath the used", f, conn.Config{}, func(t *testing.T, p *conn.Pool) {
		a, b := checkout(t, p), checkout(t, p)
		p.Put(a)
		p.Put(b)
		for range 3 {
			time.Sleep(time.Minute)
			p.Put(checkout(t, p))
		}
		assert.Equal(t, 1, f.liveNow())
		assert.Equal(t, uint64(1), p.Stats().Expired)
	})
	inBubble(t, "older than a lifetime when put back", new(farm), conn.Config{MaxLifetime: time.Minute}, func(t *testing.T, p *conn.Pool) {
		c := checkout(t, p)
		time.Sleep(time.Hour)
		p.Put(c)
		assert.Zero(t, p.Stats().Open)
	})
}

func TestFlush(t *testing.T) {
	f := new(farm)
	inBubble(t, "E15 the role of the node changed", f, conn.Config{}, func(t *testing.T, p *conn.Pool) {
		idle, used := checkout(t, p), checkout(t, p)
		p.Put(idle)
		p.Flush()
		assert.Equal(t, 1, f.liveNow(), "idle ones are closed")
		p.Put(used)
		assert.Zero(t, f.liveNow(), "used ones when they come back")
		p.Put(checkout(t, p))
		assert.Equal(t, 3, f.dials, "the name is resolved again")
		assert.Equal(t, 1, f.liveNow())
	})
	g := &farm{delay: time.Second}
	inBubble(t, "E15 a dial that began before is dropped", g, conn.Config{}, func(t *testing.T, p *conn.Pool) {
		_, err := p.GetUntil(t.Context(), time.Now())
		require.Error(t, err)
		p.Flush()
		p.Put(checkout(t, p))
		assert.Equal(t, 2, g.dials)
		assert.Equal(t, 1, g.liveNow())
	})
}

func TestNothingIsLeftBehind(t *testing.T) {
	f := new(farm)
	inBubble(t, "E20 a hundred nodes come and go", f, conn.Config{}, func(t *testing.T, _ *conn.Pool) {
		for range 100 {
			p := conn.NewPool("node", f.config(conn.Config{}))
			a, b := checkout(t, p), checkout(t, p)
			p.Put(a)
			send(t, b, []string{"PING"}) // put back in debt
			p.Put(b)
			p.Close()
		}
		assert.Equal(t, 200, f.dials)
		assert.Zero(t, f.liveNow()) // and the bubble has no goroutine when it ends
	})
	t.Run("E20 a large value does not pin its buffer", func(t *testing.T) {
		size := 64 << 20
		if race.Enabled {
			size = 8 << 20 // to save time
		}
		s := fakeredis.Start(t)
		s.Next().Hello().Expect("GET", "a").Then(func(p *fakeredis.Peer) {
			_, _ = fmt.Fprintf(p, "$%d\r\n", size)
			piece := bytes.Repeat([]byte("x"), 64<<10)
			for range size / len(piece) {
				_, _ = p.Write(piece)
			}
			_, _ = io.WriteString(p, "\r\n")
		})
		p := newPool(t, s, nil)
		c := checkout(t, p)
		c.Commit(slices.Grow(c.Out(), 4<<20), 0) // the out buffer was large too
		send(t, c, get("a"))
		c.SetDeadline(time.Now().Add(time.Minute))
		b, err := c.Reader().Bulk()
		require.NoError(t, err)
		require.Equal(t, size, len(b))
		c.Received()
		held := heap()
		p.Put(c)
		assert.Less(t, heap(), held-int64(size)-3<<20, "bytes")
		assert.Equal(t, 1, p.Stats().Idle)
	})
}

// heap is the number of bytes in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
