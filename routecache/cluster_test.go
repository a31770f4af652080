package routecache_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/routecache"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// randomPairs returns n distinct pairs of valid cells of resolution 9: a hexagon base cell and random digits.
func randomPairs(n int, seed uint64) []routecache.Pair {
	rng := rand.New(rand.NewPCG(seed, 1))
	cell := func() routecache.Cell {
		c := uint64(0x8)<<56 | 9<<52 | 15<<45 // base cell 15 is no pentagon
		for digit := 1; digit <= 15; digit++ {
			d := uint64(7)
			if digit <= 9 {
				d = rng.Uint64N(7)
			}
			c |= d << (3 * (15 - digit))
		}
		return routecache.Cell(c)
	}
	seen := make(map[routecache.Pair]bool)
	pairs := make([]routecache.Pair, 0, n)
	for len(pairs) < n {
		if p := (routecache.Pair{Origin: cell(), Dest: cell()}); !seen[p] {
			seen[p] = true
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// estimatesOf are those of the given pairs: a function of the pair, so that a swapped answer shows.
func estimatesOf(pairs []routecache.Pair) []routecache.Estimate {
	out := make([]routecache.Estimate, len(pairs))
	for i, p := range pairs {
		out[i] = routecache.Estimate{Seconds: float64(uint64(p.Origin)>>17%36000) / 10, Metres: float64(uint64(p.Dest)>>17%300000) / 10}
	}
	return out
}

func hits(estimates []routecache.Estimate) []routecache.Answer {
	out := make([]routecache.Answer, len(estimates))
	for i, e := range estimates {
		out[i] = routecache.Answer{Estimate: e, State: routecache.Hit}
	}
	return out
}

// open opens a cache that is closed with the test and says nothing.
func open(t testing.TB, cfg routecache.Config) *routecache.Cache {
	t.Helper()
	if cfg.Batch.Conn.Timeout == 0 {
		cfg.Batch.Conn.Timeout = time.Minute // machines that run tests stand still at times
	}
	if cfg.Batch.Logger == nil {
		cfg.Batch.Logger = slog.New(slog.DiscardHandler)
	}
	c, err := routecache.Open(context.Background(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func TestRoundTrip(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	ctx := context.Background()
	for _, tags := range []int{1, 4} {
		for _, n := range []int{0, 1, 2, 3000, 100_000} {
			t.Run(fmt.Sprintf("tags=%d/pairs=%d", tags, n), func(t *testing.T) {
				c := open(t, routecache.Config{Addrs: cluster.Addrs(), Tags: tags, Template: fmt.Sprintf("rt%d-%d:%%d", tags, n)})
				pairs := randomPairs(n, 1)
				estimates := estimatesOf(pairs)
				out := make([]routecache.Answer, n)
				require.NoError(t, c.Get(ctx, pairs, out))
				require.Equal(t, slices.Repeat([]routecache.Answer{{State: routecache.Miss}}, n), out)
				require.NoError(t, c.Set(ctx, pairs, estimates, time.Minute))
				require.NoError(t, c.Get(ctx, pairs, out))
				require.Equal(t, hits(estimates), out)
				stats := c.Stats()
				assert.EqualValues(t, n, stats.Hits)
				assert.EqualValues(t, n, stats.Misses)
			})
		}
	}
}

func TestDuplicates(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	ctx := context.Background()
	c := open(t, routecache.Config{Addrs: cluster.Addrs()})
	distinct := randomPairs(500, 2)
	rng := rand.New(rand.NewPCG(3, 3))
	pairs := make([]routecache.Pair, 3000)
	estimates := make([]routecache.Estimate, len(pairs))
	last := make(map[routecache.Pair]routecache.Estimate)
	for i := range pairs {
		pairs[i] = distinct[rng.IntN(len(distinct))]
		estimates[i] = routecache.Estimate{Seconds: float64(i), Metres: 1}
		last[pairs[i]] = estimates[i]
	}
	require.NoError(t, c.Set(ctx, pairs, estimates, time.Minute))
	require.NoError(t, cluster.ResetStats())
	out := make([]routecache.Answer, len(pairs))
	require.NoError(t, c.Get(ctx, pairs, out))
	for i := range out {
		require.Equal(t, routecache.Answer{Estimate: last[pairs[i]], State: routecache.Hit}, out[i])
	}
	var lookups int64
	for _, node := range cluster.Nodes() {
		info, err := node.Info(ctx, "stats")
		require.NoError(t, err)
		var n int64
		_, err = fmt.Sscan(info["keyspace_hits"], &n)
		require.NoError(t, err)
		lookups += n
	}
	assert.EqualValues(t, len(last), lookups, "keys that were looked up")
}

func TestRefusedBeforeAnythingIsSent(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	c := open(t, routecache.Config{Addrs: cluster.Addrs()})
	ctx := context.Background()
	require.NoError(t, cluster.ResetStats())
	good := randomPairs(2, 4)
	coarse := routecache.Pair{Origin: 0x88283082a5fffff, Dest: good[0].Dest}
	one := []routecache.Estimate{{Seconds: 1, Metres: 1}, {Seconds: 1, Metres: 1}}
	for _, test := range []struct {
		name string
		call func() error
		want any // a pointer to the error's type
	}{
		{"Get: fewer answers than pairs", func() error { return c.Get(ctx, good, make([]routecache.Answer, 1)) }, new(*routecache.LengthError)},
		{"Get: an invalid cell", func() error {
			return c.Get(ctx, []routecache.Pair{good[0], {Origin: good[0].Origin}}, make([]routecache.Answer, 2))
		}, new(*routecache.PairError)},
		{"Get: a cell of the wrong resolution", func() error {
			return c.Get(ctx, []routecache.Pair{good[0], coarse}, make([]routecache.Answer, 2))
		}, new(*routecache.PairError)},
		{"Set: fewer estimates than pairs", func() error { return c.Set(ctx, good, one[:1], time.Minute) }, new(*routecache.LengthError)},
		{"Set: an invalid cell", func() error { return c.Set(ctx, []routecache.Pair{good[0], {}}, one, time.Minute) }, new(*routecache.PairError)},
		{"Set: NaN", func() error {
			return c.Set(ctx, good, []routecache.Estimate{one[0], {Seconds: math.NaN()}}, time.Minute)
		}, new(*routecache.EstimateError)},
		{"Set: negative", func() error {
			return c.Set(ctx, good, []routecache.Estimate{one[0], {Metres: -1}}, time.Minute)
		}, new(*routecache.EstimateError)},
		{"Set: infinite", func() error {
			return c.Set(ctx, good, []routecache.Estimate{one[0], {Metres: math.Inf(1)}}, time.Minute)
		}, new(*routecache.EstimateError)},
		{"Set: TTL zero", func() error { return c.Set(ctx, good, one, 0) }, new(*routecache.TTLError)},
		{"Set: TTL negative", func() error { return c.Set(ctx, good, one, -time.Second) }, new(*routecache.TTLError)},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.call()
			require.ErrorAs(t, err, test.want)
			t.Log(err)
		})
	}
	for _, node := range cluster.Nodes() {
		stats, err := node.CommandStats()
		require.NoError(t, err)
		for _, command := range []string{"mget", "get", "set", "evalsha", "eval"} {
			assert.Zero(t, stats[command].Calls+stats[command].Rejected, command)
		}
	}
}

func TestPartialAnswers(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	c := open(t, routecache.Config{Addrs: cluster.Addrs()})
	ctx := context.Background()
	pairs := randomPairs(300, 5)
	pairs = append(pairs, pairs[:30]...)
	estimates := estimatesOf(pairs)
	out := make([]routecache.Answer, len(pairs))
	require.NoError(t, c.Set(ctx, pairs, estimates, time.Minute))
	require.NoError(t, cluster.Node(1).Freeze())
	t.Cleanup(func() { _ = cluster.Node(1).Thaw() })

	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	err := c.Get(ctx, pairs, out)
	var partial *routecache.PartialError
	require.ErrorAs(t, err, &partial)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	t.Log(err)
	var of *batch.Error
	require.ErrorAs(t, err, &of)
	assert.Equal(t, cluster.Node(1).Addr, of.Causes[0].Addr)
	failed := 0
	for i, a := range out {
		layout := c.Layout()
		frozen := layout.Topology().Shards()[layout.Anchors().List[layout.Anchor(pairs[i])].Shard].Primary.Addr == cluster.Node(1).Addr
		if frozen {
			failed++
			assert.Equal(t, routecache.Answer{}, a)
			assert.Error(t, partial.Cause(i))
		} else {
			assert.Equal(t, routecache.Answer{Estimate: estimates[i], State: routecache.Hit}, a)
			assert.NoError(t, partial.Cause(i))
		}
	}
	assert.Equal(t, failed, partial.Failed)
	assert.Equal(t, len(pairs), partial.Total)
	assert.Greater(t, failed, 50)
}
