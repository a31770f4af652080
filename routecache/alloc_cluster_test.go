package routecache_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/internal/alloctest"
	"github.com/slotcast/slotcast/internal/race"
	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/routecache"
	"github.com/stretchr/testify/require"
)

// In the steady state a batch allocates nothing, whatever its size, or what context.AfterFunc does.
func TestAllocationsPerBatch(t *testing.T) {
	if race.Enabled {
		t.Skip("allocations are not counted under the race detector; run without -race")
	}
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	c := open(t, routecache.Config{Addrs: cluster.Addrs(), Batch: batch.Config{RefreshPeriod: -1}})
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, n := range []int{1, 100, 10_000} {
		pairs := randomPairs(n, uint64(n))
		pairs[n-1] = pairs[0] // a duplicate, but for a single pair
		estimates, out := estimatesOf(pairs), make([]routecache.Answer, n)
		for _, call := range []struct {
			name string
			ctx  context.Context
			want int
		}{{"", context.Background(), 0}, {" with a context that can end", cancellable, 2}} {
			for _, b := range []alloctest.Budget{
				{Name: fmt.Sprintf("Set: %d pairs%s", n, call.name), Want: call.want, Runs: 20, Func: func() {
					require.NoError(t, c.Set(call.ctx, pairs, estimates, time.Hour))
				}},
				{Name: fmt.Sprintf("Get: %d pairs%s", n, call.name), Want: call.want, Runs: 20, Func: func() {
					require.NoError(t, c.Get(call.ctx, pairs, out))
				}},
			} {
				t.Run(b.Name, func(t *testing.T) {
					err := b.Check()
					for tries := 1; err != nil && tries < 5; tries++ { // a server short of CPU makes waits time out, and that allocates
						err = b.Check()
					}
					require.NoError(t, err)
				})
			}
		}
	}
}
