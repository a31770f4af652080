package routecache_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/routecache"
	"github.com/stretchr/testify/require"
)

// BenchmarkBatch times whole batches against a real cluster on this machine; four of five pairs are hits.
func BenchmarkBatch(b *testing.B) {
	ctx := context.Background()
	cluster := redistest.Start(b, redistest.Config{Primaries: 3})
	c := open(b, routecache.Config{Addrs: cluster.Addrs()})
	for _, n := range []int{100, 3000, 100_000} {
		pairs := randomPairs(n, uint64(n))
		estimates := estimatesOf(pairs)
		stored := n * 4 / 5
		require.NoError(b, c.Set(ctx, pairs[:stored], estimates[:stored], time.Hour))
		out := make([]routecache.Answer, n)
		b.Run(fmt.Sprintf("get/pairs=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.Get(ctx, pairs, out); err != nil || out[0].State != routecache.Hit || out[n-1].State != routecache.Miss {
					b.Fatal(err, out[0], out[n-1])
				}
			}
		})
		b.Run(fmt.Sprintf("set/pairs=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.Set(ctx, pairs[:stored], estimates[:stored], time.Hour); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
