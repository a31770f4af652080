package conn_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
)

// inBubble runs f as a subtest with a pool of a farm, on a fake clock.
func inBubble(t *testing.T, name string, f *farm, cfg conn.Config, test func(t *testing.T, p *conn.Pool)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := conn.NewPool("node", f.config(cfg))
			defer p.Close()
			test(t, p)
		})
	})
}

func TestWaiters(t *testing.T) {
	inBubble(t, "E18 first in, first out, and one leaves from the middle", new(farm), conn.Config{MaxConns: 1},
		func(t *testing.T, p *conn.Pool) {
			c := checkout(t, p)
			var mu sync.Mutex
			var order []int
			var left error
			ctx, leave := context.WithCancel(t.Context())
			for i := range 4 {
				go func() {
					ctx := ctx
					if i != 1 {
						ctx = context.Background()
					}
					c, err := p.Get(ctx)
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						left = err
						return
					}
					order = append(order, i)
					p.Put(c)
				}()
				synctest.Wait()
			}
			assert.Equal(t, 4, p.Stats().Waiting)
			leave()
			synctest.Wait()
			assert.Equal(t, 3, p.Stats().Waiting)
			assert.ErrorIs(t, left, context.Canceled)
			p.Put(c)
			time.Sleep(time.Second)
			synctest.Wait()
			assert.Equal(t, []int{0, 2, 3}, order)
			assert.Zero(t, p.Stats().InUse)
		})
	inBubble(t, "E4 E18 the caller's deadline ends the wait", new(farm), conn.Config{MaxConns: 1},
		func(t *testing.T, p *conn.Pool) {
			defer p.Put(checkout(t, p))
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			start := time.Now()
			_, err := p.Get(ctx)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Equal(t, 30*time.Second, time.Since(start))
			assert.Equal(t, "conn: wait node: context deadline exceeded", err.Error())
			assert.True(t, conn.Unsent(err))
		})
	inBubble(t, "E28 without one, the timeout does", new(farm), conn.Config{MaxConns: 1},
		func(t *testing.T, p *conn.Pool) {
			defer p.Put(checkout(t, p))
			start := time.Now()
			_, err := p.Get(context.Background())
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			assert.NotErrorIs(t, err, context.DeadlineExceeded)
			assert.Equal(t, 5*time.Second, time.Since(start))
			assert.Equal(t, uint64(1), p.Stats().Timeouts)
		})
	inBubble(t, "E4 a context that has ended gets nothing", new(farm), conn.Config{},
		func(t *testing.T, p *conn.Pool) {
			p.Put(checkout(t, p))
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := p.Get(ctx)
			require.ErrorIs(t, err, context.Canceled)
		})
	inBubble(t, "GetUntil now does not wait, and begins a dial", &farm{delay: time.Second}, conn.Config{},
		func(t *testing.T, p *conn.Pool) {
			for range 3 {
				_, err := p.GetUntil(t.Context(), time.Now())
				require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			}
			assert.Equal(t, 1, p.Stats().Dialing)
			time.Sleep(time.Second)
			synctest.Wait()
			c, err := p.GetUntil(t.Context(), time.Now())
			require.NoError(t, err)
			p.Put(c)
		})
	inBubble(t, "GetUntil waits until then", &farm{delay: time.Second}, conn.Config{},
		func(t *testing.T, p *conn.Pool) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			start := time.Now()
			_, err := p.GetUntil(ctx, start.Add(time.Millisecond))
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			assert.Equal(t, time.Millisecond, time.Since(start))
		})
	inBubble(t, "E4 a dial outlives the caller, for the next one", &farm{delay: time.Second}, conn.Config{},
		func(t *testing.T, p *conn.Pool) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			_, err := p.Get(ctx)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			start := time.Now()
			c := checkout(t, p)
			assert.InDelta(t, 999*time.Millisecond, time.Since(start), float64(time.Millisecond))
			assert.Equal(t, uint64(1), p.Stats().Dials)
			p.Put(c)
		})
	inBubble(t, "Close fails those who wait", new(farm), conn.Config{MaxConns: 1},
		func(t *testing.T, p *conn.Pool) {
			c := checkout(t, p)
			var err error
			go func() { _, err = p.Get(t.Context()) }()
			synctest.Wait()
			p.Close()
			synctest.Wait()
			require.ErrorIs(t, err, conn.ErrPoolClosed)
			_, err = p.Get(t.Context())
			require.ErrorIs(t, err, conn.ErrPoolClosed)
			assert.ErrorContains(t, err, "node")
			p.Put(c)
			assert.Zero(t, p.Stats().Open)
		})
	inBubble(t, "E20 Close ends dials", &farm{delay: time.Hour}, conn.Config{DialTimeout: 2 * time.Hour},
		func(t *testing.T, p *conn.Pool) {
			_, err := p.GetUntil(t.Context(), time.Now())
			require.Error(t, err)
			start := time.Now()
			p.Close()
			assert.Zero(t, time.Since(start))
			assert.Zero(t, p.Stats().Open)
		})
}

func TestDialFailureIsTold(t *testing.T) {
	refused := errors.New("refused")
	f := &farm{fail: refused, delay: time.Millisecond}
	inBubble(t, "E18 every waiter hears of it at once", f, conn.Config{MaxDials: 1, BreakerFailures: -1},
		func(t *testing.T, p *conn.Pool) {
			start := time.Now()
			var wg sync.WaitGroup
			errs := make([]error, 10)
			for i := range errs {
				wg.Go(func() { _, errs[i] = p.Get(t.Context()) })
			}
			wg.Wait()
			assert.Equal(t, 10*time.Millisecond, time.Since(start), "one dial each")
			for _, err := range errs {
				var dial *conn.DialError
				require.ErrorAs(t, err, &dial)
				assert.ErrorIs(t, err, refused)
			}
			assert.Zero(t, p.Stats().Open)
		})
	g := &farm{fail: refused, delay: time.Millisecond}
	inBubble(t, "E19 or of the breaker", g, conn.Config{MaxDials: 1},
		func(t *testing.T, p *conn.Pool) {
			start := time.Now()
			var wg sync.WaitGroup
			errs := make([]error, 10)
			for i := range errs {
				wg.Go(func() { _, errs[i] = p.Get(t.Context()) })
			}
			wg.Wait()
			assert.Equal(t, 3*time.Millisecond, time.Since(start))
			open := 0
			for _, err := range errs {
				assert.ErrorIs(t, err, refused)
				if errors.Is(err, conn.ErrBreakerOpen) {
					open++
				}
			}
			assert.Equal(t, 7, open)
		})
	h := new(farm)
	inBubble(t, "a broken connection makes room for who waits", h, conn.Config{MaxConns: 1},
		func(t *testing.T, p *conn.Pool) {
			c := checkout(t, p)
			got := make(chan *conn.Conn)
			go func() {
				c, err := p.Get(t.Context())
				assert.NoError(t, err)
				got <- c
			}()
			synctest.Wait()
			_ = c.Fail(errors.New("broken"))
			p.Put(c)
			next := <-got
			assert.NotSame(t, c, next)
			p.Put(next)
			assert.Equal(t, 1, h.mostLive)
		})
}

func TestLimits(t *testing.T) {
	f := &farm{delay: 10 * time.Millisecond, handler: echo}
	inBubble(t, "E19 connections and dials stay within bounds", f, conn.Config{MaxConns: 5, MaxDials: 2},
		func(t *testing.T, p *conn.Pool) {
			var wg sync.WaitGroup
			for i := range 50 {
				wg.Go(func() {
					for n := range 20 {
						c, err := p.Get(t.Context())
						if !assert.NoError(t, err) {
							return
						}
						_, err = c.Do(t.Context(), "GET", fmt.Sprint(i))
						assert.NoError(t, err)
						time.Sleep(time.Millisecond)
						if n%4 == i%4 {
							_ = c.Fail(errors.New("the network")) // so that dials go on
						}
						p.Put(c)
					}
				})
			}
			wg.Wait()
			time.Sleep(time.Second) // for dials that nobody waits for any more
			synctest.Wait()
			assert.LessOrEqual(t, f.mostLive, 5)
			assert.Equal(t, 2, f.mostDials)
			st := p.Stats()
			assert.Zero(t, st.InUse)
			assert.Equal(t, f.liveNow(), st.Open)
		})
	g := &farm{delay: time.Millisecond}
	inBubble(t, "more wait than may be dialled at once", g, conn.Config{MaxDials: 1},
		func(t *testing.T, p *conn.Pool) {
			var wg sync.WaitGroup
			cs := make([]*conn.Conn, 10)
			for i := range cs {
				wg.Go(func() { cs[i] = checkout(t, p) })
			}
			wg.Wait() // none is put back before all have one
			for _, c := range cs {
				p.Put(c)
			}
			assert.Equal(t, 10, g.mostLive)
		})
}

func TestDialing(t *testing.T) {
	inBubble(t, "E18 only while there is no connection but attempts", &farm{delay: time.Second}, conn.Config{MaxConns: 2},
		func(t *testing.T, p *conn.Pool) {
			assert.False(t, p.Dialing())
			got := make(chan *conn.Conn)
			wait := func() {
				c, err := p.Get(context.Background())
				assert.NoError(t, err)
				got <- c
			}
			go wait()
			synctest.Wait()
			assert.True(t, p.Dialing())
			first := <-got
			assert.False(t, p.Dialing())
			go wait()
			synctest.Wait()
			assert.False(t, p.Dialing(), "a second one is dialled, but the first is there")
			p.Put(first)
			p.Put(<-got)
			assert.False(t, p.Dialing())
		})
}
