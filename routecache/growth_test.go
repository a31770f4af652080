package routecache_test

import (
	"context"
	"testing"
	"time"

	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/routecache"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A fourth primary joins and takes a quarter of the slots. Every estimate stays a hit: while the slots move, after the
// cache has walked the new shape, and in a cache that was opened only then and learns of the old shape by nothing.
func TestGrowthLosesNothing(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := open(t, routecache.Config{Addrs: cluster.Addrs(), Tags: 4, Settle: 200 * time.Millisecond})
	pairs := randomPairs(2000, 8)
	estimates := estimatesOf(pairs)
	require.NoError(t, c.Set(ctx, pairs, estimates, time.Hour))
	before := c.Layout()
	out := make([]routecache.Answer, len(pairs))

	grown := make(chan error, 1)
	go func() {
		_, err := cluster.Grow(ctx)
		grown <- err
	}()
	for growing := true; growing; {
		select {
		case err := <-grown:
			require.NoError(t, err)
			growing = false
		default:
		}
		require.NoError(t, c.Get(ctx, pairs, out))
		require.Equal(t, hits(estimates), out, "while the cluster grows")
	}
	for c.Layout() == before {
		require.NoError(t, c.Client().Refresh(ctx))
		require.NoError(t, c.Get(ctx, pairs, out))
		require.Equal(t, hits(estimates), out, "before the new shape was walked")
	}
	assert.Len(t, c.Layout().Anchors().List, 16)
	require.NoError(t, c.Get(ctx, pairs, out))
	require.Equal(t, hits(estimates), out, "after the new shape was walked")
	moved := c.Stats().OldHits
	assert.Positive(t, moved, "pairs found under their old anchors")
	assert.EqualValues(t, 1, c.Stats().Walks)

	// What is written now is where every process looks that walks this shape.
	require.NoError(t, c.Set(ctx, pairs, estimates, time.Hour))
	require.NoError(t, c.Get(ctx, pairs, out))
	require.Equal(t, hits(estimates), out)
	assert.Equal(t, moved, c.Stats().OldHits)
	other := open(t, routecache.Config{Addrs: cluster.Addrs(), Tags: 4})
	assert.Equal(t, c.Layout().Anchors().List, other.Layout().Anchors().List)
	require.NoError(t, other.Get(ctx, pairs, out))
	assert.Equal(t, hits(estimates), out)
}

// A failover changes no shape, so nothing is walked.
func TestFailoverKeepsTheLayout(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3, Replicas: 1})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := open(t, routecache.Config{Addrs: cluster.Addrs(), Settle: time.Millisecond})
	pairs := randomPairs(300, 9)
	estimates := estimatesOf(pairs)
	require.NoError(t, c.Set(ctx, pairs, estimates, time.Hour))
	before := c.Layout()
	require.NoError(t, cluster.WaitReady(ctx))
	require.NoError(t, cluster.Failover(ctx, 3))
	require.NoError(t, c.Client().Refresh(ctx))
	out := make([]routecache.Answer, len(pairs))
	require.NoError(t, c.Get(ctx, pairs, out))
	assert.Equal(t, hits(estimates), out)
	assert.Same(t, before, c.Layout())
	assert.Zero(t, c.Stats().Walks)
}

// With fixed ranges the anchors are the same whatever the cluster looks like, and a batch still makes one write.
func TestFixed(t *testing.T) {
	ctx := context.Background()
	var anchors [][]int
	for _, primaries := range []int{3, 4} {
		cluster := redistest.Start(t, redistest.Config{Primaries: primaries})
		c := open(t, routecache.Config{Addrs: cluster.Addrs(), Fixed: 12})
		pairs := randomPairs(1200, 10)
		estimates := estimatesOf(pairs)
		require.NoError(t, c.Set(ctx, pairs, estimates, time.Hour))
		out := make([]routecache.Answer, len(pairs))
		require.NoError(t, c.Get(ctx, pairs, out))
		assert.Equal(t, hits(estimates), out)
		anchors = append(anchors, c.Layout().Anchors().Integers())
	}
	assert.Len(t, anchors[0], 12)
	assert.Equal(t, anchors[0], anchors[1])
}
