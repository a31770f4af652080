package batch_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/redistest"
)

// One of three primaries answers no more, one way or another: it costs its own items and nobody else's.
func TestOneNodeOfThree(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3, NodeTimeout: time.Minute})
	for _, test := range []struct {
		name         string
		fault, undo  func(*redistest.Node) error
		afterRestart bool
	}{
		{"E13 E18 E24 frozen", (*redistest.Node).Freeze, (*redistest.Node).Thaw, false},
		{"E24 dead", (*redistest.Node).Kill, func(n *redistest.Node) error { return n.Restart(context.Background()) }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := open(t, batch.Config{Addrs: cluster.Addrs()})
			var k keys
			for _, tags := range oneTagPer(c, 1) {
				k = append(k, tagged(tags[0], 100)...)
			}
			ill := cluster.Node(0)
			require.NoError(t, c.Set(t.Context(), newWrites(k), time.Hour))
			want := values(k)
			call := func() (took time.Duration, err error) {
				ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
				defer cancel()
				r := newReads(t, k)
				start := time.Now()
				err = c.Get(ctx, r)
				took = time.Since(start)
				require.Equal(t, want[100:], r.got[100:], "the other nodes answer")
				if err != nil {
					require.Equal(t, every(100, nothing), r.got[:100], "and for this one nobody makes an answer up")
				}
				return took, err
			}
			usual := median(100, func() time.Duration {
				took, err := call()
				require.NoError(t, err)
				return took
			})

			require.NoError(t, test.fault(ill))
			thawed := false
			defer func() {
				if !thawed {
					_ = test.undo(ill)
				}
			}()
			calls := 0
			for ; ; calls++ {
				took, err := call()
				require.Error(t, err)
				require.Less(t, took, 300*time.Millisecond, "no call outlives its deadline")
				if cause := errorOf(t, err, 0); assert.Error(t, cause) {
					assert.Contains(t, cause.Error(), ill.Addr)
				}
				if isOpen(c, ill.Addr) {
					break
				}
				require.Less(t, calls, 6, "the breaker opens")
			}
			refused := 0
			unwell := median(300, func() time.Duration {
				took, err := call()
				require.ErrorIs(t, err, conn.ErrBreakerOpen)
				require.NotErrorIs(t, err, context.DeadlineExceeded, "the caller's time was not up")
				refused++
				return took
			})
			assert.LessOrEqual(t, unwell, 2*usual+time.Millisecond, "of %d calls", refused)

			require.NoError(t, test.undo(ill))
			thawed = true
			if test.afterRestart {
				require.NoError(t, cluster.WaitReady(t.Context()))
				want = append(every(100, missing), want[100:]...)
			}
			start := time.Now()
			require.Eventually(t, func() bool {
				r := newReads(t, k)
				return c.Get(t.Context(), r) == nil && slices.Equal(r.got, want)
			}, 10*time.Second, time.Millisecond)
			t.Logf("usual %v, refused %v after %d calls, whole again after %v", usual, unwell, calls, time.Since(start))
		})
	}
}

func median(n int, f func() time.Duration) time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = f()
	}
	slices.Sort(all)
	return all[n/2]
}

func isOpen(c *batch.Client, addr string) bool {
	for _, n := range c.Stats().Nodes {
		if n.Addr == addr {
			return n.BreakerOpen
		}
	}
	return false
}
