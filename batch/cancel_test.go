package batch_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/internal/redistest"
)

// EnvCancelFor is how long TestRandomCancels goes on; default 3 s.
const EnvCancelFor = "SLOTCAST_CANCEL_FOR"

// A thousand goroutines read and write keys of their own, and lose interest at random. Each value names its key, so a
// reply that reaches a stranger shows.
func TestRandomCancels(t *testing.T) {
	const callers = 1000
	period := 3 * time.Second
	if s := os.Getenv(EnvCancelFor); s != "" {
		var err error
		period, err = time.ParseDuration(s)
		require.NoError(t, err)
	}
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	before := runtime.NumGoroutine()
	c, err := batch.Open(t.Context(), batch.Config{Addrs: cluster.Addrs(), Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	tags := oneTagPer(c, 1)
	var calls, ended, refused, answered atomic.Int64
	var all sync.WaitGroup
	start := time.Now()
	for n := range callers {
		all.Go(func() {
			k := make(keys, 6)
			for i := range k {
				k[i] = fmt.Sprintf("{%s}%d/%d", tags[i%3][0], n, i)
			}
			want := values(k)
			usual := 5 * time.Second // of a whole call; found out as the machine has it
			for time.Since(start) < period {
				ctx, cancel := context.WithCancel(context.Background())
				stop := time.AfterFunc(rand.N(2*usual), cancel)
				if rand.IntN(4) == 0 {
					ctx, cancel = context.WithTimeout(ctx, rand.N(2*usual))
				}
				calls.Add(1)
				began := time.Now()
				var err error
				if rand.IntN(3) == 0 {
					err = c.Set(ctx, newWrites(k), time.Hour)
				} else {
					r := newReads(t, k)
					err = c.Get(ctx, r)
					for i, got := range r.got {
						if got != nothing && got != missing && got != want[i] {
							t.Errorf("key %s got %q", k[i], got)
						}
						if got != nothing {
							answered.Add(1)
						}
					}
				}
				end, bound := ctx.Deadline()
				over := ctx.Err() != nil || bound && !time.Now().Before(end)
				stop.Stop()
				cancel()
				if err == nil {
					usual = (3*usual + time.Since(began)) / 4
					continue
				}
				if ended.Add(1); errors.Is(err, conn.ErrBreakerOpen) {
					refused.Add(1)
				}
				if !over && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
					t.Errorf("E28: the context has not ended, but %v", err)
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d calls, %d of them ended early, %d were refused, %d answers", calls.Load(), ended.Load(), refused.Load(), answered.Load())
	assert.Positive(t, answered.Load())
	assert.Greater(t, ended.Load(), calls.Load()/100, "many were cancelled")

	require.Eventually(t, func() bool {
		for _, n := range c.Stats().Nodes {
			if n.InUse+n.Draining+n.Dialing+n.Waiting != 0 || n.Open != n.Idle {
				return false
			}
		}
		return true
	}, 10*time.Second, time.Millisecond, "E6 the pools have all their connections")
	r := newReads(t, tagged(tags[0][0], 2))
	require.NoError(t, c.Get(t.Context(), r))
	require.NoError(t, c.Close())
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		require.True(t, time.Now().Before(end), "%d goroutines, %d before", runtime.NumGoroutine(), before)
	}
}

// What a call does when its context ends.
func TestEnds(t *testing.T) {
	silent := func(_ *fakeredis.Peer, cmd []string) ([]byte, bool) { return nil, cmd[0] == "MGET" }

	bubble(t, "E4 a deadline is kept to the instant, with the answers of others", 3, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		var k keys
		for i, n := range fake.Nodes() {
			of := tagged(fake.Tag(i, 0), 2)
			k = append(k, of...)
			put(n, of)
		}
		fake.Node(1).On(silent)
		for _, deadline := range []time.Duration{time.Millisecond, 15 * time.Millisecond, 200 * time.Millisecond, time.Second} {
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			r := newReads(t, k)
			start := time.Now()
			err := c.Get(ctx, r)
			cancel()
			assert.LessOrEqual(t, time.Since(start), deadline)
			if err != nil && !errors.Is(err, conn.ErrBreakerOpen) {
				assert.ErrorIs(t, err, context.DeadlineExceeded)
				assert.Equal(t, deadline, time.Since(start))
			}
			assert.Equal(t, []string{"v-" + k[0], "v-" + k[1], nothing, nothing, "v-" + k[4], "v-" + k[5]}, r.got)
		}
	})

	bubble(t, "E1 E5 cancelled while a node is silent: the reply that comes late is nobody's", 1, batch.Config{Conn: conn.Config{MaxConns: 1}},
		func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
			k := tagged("a", 2)
			received := make(chan *fakeredis.Peer)
			silent := true
			fake.Node(0).On(func(p *fakeredis.Peer, cmd []string) ([]byte, bool) {
				if silent {
					silent = false
					received <- p
					return nil, true
				}
				return []byte("*2\r\n$3\r\nour\r\n$3\r\nown\r\n"), true
			})
			ctx, cancel := context.WithCancel(t.Context())
			gone := make(chan struct{})
			go func() {
				p := <-received
				cancel()
				<-gone
				_, _ = p.Write([]byte("*2\r\n$3\r\nfoo\r\n$3\r\nbar\r\n"))
			}()
			r := newReads(t, k)
			err := c.Get(ctx, r)
			close(gone)
			assert.ErrorIs(t, err, context.Canceled)
			assert.Equal(t, every(2, nothing), r.got)
			r = newReads(t, k)
			require.NoError(t, c.Get(t.Context(), r))
			assert.Equal(t, []string{"our", "own"}, r.got)
			assert.EqualValues(t, 1, c.Stats().Nodes[0].Drains)
		})

	bubble(t, "a context that has ended already", 1, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.ErrorIs(t, c.Get(ctx, newReads(t, keys{"a"})), context.Canceled)
		assert.ErrorIs(t, c.Set(ctx, newWrites(keys{"a"}), time.Minute), context.Canceled)
		assert.Empty(t, fake.Node(0).Log())
	})

	bubble(t, "E28 our own limit is not the caller's context", 1, batch.Config{Conn: conn.Config{Timeout: 30 * time.Millisecond}},
		func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
			fake.Node(0).On(silent)
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			for range 3 {
				start := time.Now()
				err := c.Get(ctx, newReads(t, tagged("a", 2)))
				assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
				assert.NotErrorIs(t, err, context.DeadlineExceeded)
				assert.Equal(t, 30*time.Millisecond, time.Since(start))
			}
			ctx, cancel = context.WithTimeout(t.Context(), 30*time.Millisecond)
			defer cancel()
			err := c.Get(ctx, newReads(t, tagged("a", 2)))
			assert.ErrorIs(t, err, conn.ErrBreakerOpen)
			assert.NotErrorIs(t, err, context.DeadlineExceeded, "what opened the breaker was another caller's time")
		})

	bubble(t, "a panic in the items costs one connection and no more", 2, batch.Config{Conn: conn.Config{MaxConns: 1}},
		func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
			k := append(tagged(fake.Tag(0, 0), 2), tagged(fake.Tag(1, 0), 2)...)
			put(fake.Node(0), k)
			put(fake.Node(1), k)
			for range 3 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				assert.Panics(t, func() { _ = c.Get(ctx, panicking{newReads(t, k)}) })
				cancel()
			}
			r := newReads(t, k)
			require.NoError(t, c.Get(t.Context(), r))
			assert.Equal(t, values(k), r.got)
			for _, n := range c.Stats().Nodes {
				assert.Zero(t, n.InUse)
			}
		})

	t.Run("a closed client", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			fake := fakeredis.NewCluster(1)
			c := openFake(t, fake, batch.Config{})
			require.NoError(t, c.Get(t.Context(), newReads(t, keys{"a"})))
			require.NoError(t, c.Close())
			assert.ErrorIs(t, c.Get(t.Context(), newReads(t, keys{"a"})), batch.ErrClosed)
			assert.ErrorIs(t, c.Set(t.Context(), newWrites(keys{"a"}), time.Minute), batch.ErrClosed)
			require.NoError(t, c.Close())
		})
	})
}

type panicking struct{ *reads }

func (panicking) Reply(int, []byte) { panic("no") }
