package routecache_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/routecache"
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
	assert.Positive(t, c.Stats().Walks) // one, unless the growth paused for longer than the shape takes to settle

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

// A cluster that grows twice while an entry lives: it is looked for under both former anchors, and under none that has had
// its time. One that shrinks back looks under those of both its shapes.
func TestGrowthInSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := fakeredis.NewCluster(5)
		spread := func(primaries int) {
			for slot := range crc16.SlotCount {
				fake.Give(uint16(slot), slot*primaries/crc16.SlotCount)
			}
		}
		spread(3)
		cfg := routecache.Config{Addrs: fake.Addrs(), Settle: time.Second, Overlap: time.Hour}
		cfg.Batch.Conn.Dial = fake.Dial
		c := open(t, cfg)
		pairs := randomPairs(500, 12)
		estimates := estimatesOf(pairs)
		out := make([]routecache.Answer, len(pairs))
		set := func() { // and the keys follow their slots wherever they go
			require.NoError(t, c.Set(t.Context(), pairs, estimates, time.Hour))
			for i, p := range pairs {
				key := string(c.Layout().AppendKey(nil, p))
				value, err := routecache.AppendEstimate(nil, estimates[i])
				require.NoError(t, err)
				for _, n := range fake.Nodes() {
					n.Put(key, string(value))
				}
			}
		}
		get := func() (hit int) {
			require.NoError(t, c.Get(t.Context(), pairs, out))
			for i := range out {
				if out[i].State == routecache.Hit {
					require.Equal(t, estimates[i], out[i].Estimate)
					hit++
				}
			}
			return hit
		}
		reshape := func(primaries int) {
			walks := c.Stats().Walks
			spread(primaries)
			require.NoError(t, c.Client().Refresh(t.Context()))
			time.Sleep(2 * time.Second)
			require.Equal(t, walks+1, c.Stats().Walks)
		}
		set()
		for _, primaries := range []int{4, 5, 4, 3, 5} {
			reshape(primaries)
			assert.Equal(t, len(pairs), get(), "%d primaries", primaries)
		}
		old := c.Stats().OldHits
		assert.Greater(t, old, int64(len(pairs)/4))
		time.Sleep(time.Hour)
		assert.Less(t, get(), len(pairs), "the overlap is over")
		set()
		assert.Equal(t, len(pairs), get())
		assert.Equal(t, old, c.Stats().OldHits)
	})
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
