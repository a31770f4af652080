package otelslotcast_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/otelslotcast"
	"github.com/slotcast/slotcast/routecache"
)

func openCache(t *testing.T, m *otelslotcast.Meters, c *redistest.Cluster, config batch.Config) *routecache.Cache {
	t.Helper()
	config.Trace, config.Conn.Trace = m.Batches(), m.Conns()
	cache, err := routecache.Open(t.Context(), routecache.Config{Addrs: c.Addrs(), Batch: config})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, cache.Close()) })
	return cache
}

func somePairs(t testing.TB, n int) []routecache.Pair {
	t.Helper()
	pairs, _, err := workload.CellPairs(n, 9, 1)
	require.NoError(t, err)
	return pairs
}

func TestFigures(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	m, reader := newMeters(t)
	cache := openCache(t, m, cluster, batch.Config{})
	watch, err := m.WatchCache(cache)
	require.NoError(t, err)

	pairs := somePairs(t, 300)
	estimates := make([]routecache.Estimate, 200)
	require.NoError(t, cache.Set(t.Context(), pairs[:200], estimates, time.Minute))
	require.NoError(t, cache.Get(t.Context(), pairs, make([]routecache.Answer, 300)))
	require.NoError(t, cache.Get(t.Context(), pairs, make([]routecache.Answer, 300)))

	got := collect(t, reader, cluster.Addrs()...)
	want := figures{
		"slotcast.batch.duration slotcast.operation=get":                       2,
		"slotcast.batch.duration slotcast.operation=set":                       1,
		"slotcast.batch.items slotcast.operation=get slotcast.result=answered": 600,
		"slotcast.batch.items slotcast.operation=set slotcast.result=answered": 200,
		"slotcast.node.duration node=#0 slotcast.operation=get":                2,
		"slotcast.node.wait node=#1 slotcast.operation=get":                    2,
		"slotcast.node.first_byte node=#2 slotcast.operation=get":              2,
		"slotcast.node.duration node=#0 slotcast.operation=set":                1,
		"slotcast.node.commands node=#1 slotcast.operation=get":                2,
		"slotcast.topology.changes":                                            1,
		"slotcast.connections node=#0 slotcast.connection.state=used":          0,
		"slotcast.connections node=#0 slotcast.connection.state=dialing":       0,
		"slotcast.connections node=#0 slotcast.connection.state=draining":      0,
		"slotcast.connections.waiting node=#1":                                 0,
		"slotcast.breaker.open node=#2":                                        0,
		"slotcast.groups.refused slotcast.reply=MOVED":                         0,
		"slotcast.groups.refused slotcast.reply=ASK":                           0,
		"slotcast.groups.refused slotcast.reply=TRYAGAIN":                      0,
		"slotcast.groups.refused slotcast.reply=NOSCRIPT":                      0,
		"slotcast.connections.lost":                                            0,
		"slotcast.cache.pairs slotcast.state=hit":                              400,
		"slotcast.cache.pairs slotcast.state=miss":                             200,
		"slotcast.cache.pairs slotcast.state=failed":                           0,
		"slotcast.cache.corrupt":                                               0,
		"slotcast.cache.old_hits":                                              0,
		"slotcast.cache.sets":                                                  200,
		"slotcast.cache.walks":                                                 0,
	}
	for name, n := range want {
		assert.Contains(t, got, name)
		assert.Equal(t, n, got[name], name)
	}
	sum := func(format string) (n int64) {
		for _, node := range []string{"#0", "#1", "#2"} {
			name := "slotcast." + strings.Replace(format, "@", node, 1)
			assert.Contains(t, got, name)
			n += got[name]
		}
		return n
	}
	assert.EqualValues(t, 600, sum("node.keys node=@ slotcast.operation=get"))
	assert.EqualValues(t, 200, sum("node.keys node=@ slotcast.operation=set"))
	assert.Greater(t, sum("node.io network.io.direction=transmit node=@ slotcast.operation=get"), int64(600*48), "keys")
	assert.Greater(t, sum("node.io network.io.direction=receive node=@ slotcast.operation=get"), int64(400*3), "values")
	assert.EqualValues(t, 3, sum("connections node=@ slotcast.connection.state=idle"))
	assert.GreaterOrEqual(t, sum("dial.duration node=@"), int64(3))
	for name := range got {
		assert.NotContains(t, name, "error.type")
		assert.NotContains(t, name, "=failed slotcast.operation")
	}

	require.NoError(t, watch.Unregister())
	assert.NotContains(t, collect(t, reader, cluster.Addrs()...), "slotcast.cache.sets", "unregistered")
}

// A node that is gone is seen by everything that tells of failures.
func TestFiguresOfFailures(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	m, reader := newMeters(t)
	cache := openCache(t, m, cluster, batch.Config{
		Conn: conn.Config{Timeout: 300 * time.Millisecond, DialTimeout: 100 * time.Millisecond},
	})
	_, err := m.WatchCache(cache)
	require.NoError(t, err)
	pairs := somePairs(t, 300)
	require.NoError(t, cache.Get(t.Context(), pairs, make([]routecache.Answer, 300)))

	require.NoError(t, cluster.Node(1).Kill())
	var got figures
	require.Eventually(t, func() bool {
		_ = cache.Get(t.Context(), pairs, make([]routecache.Answer, 300))
		got = collect(t, reader, cluster.Addrs()...)
		return got["slotcast.breaker.open node=#1"] == 1
	}, 20*time.Second, time.Millisecond)
	assert.Positive(t, got["slotcast.breaker.changes node=#1 slotcast.breaker.state=open"])
	assert.Positive(t, got["slotcast.batch.items slotcast.operation=get slotcast.result=failed"])
	assert.Positive(t, got["slotcast.cache.pairs slotcast.state=failed"])
	assert.Positive(t, got["slotcast.dial.duration error.type=syscall.Errno node=#1"], "%v", got)
	assert.Zero(t, got["slotcast.breaker.open node=#0"])
	failed := int64(0)
	for name, n := range got {
		if strings.HasPrefix(name, "slotcast.batch.duration error.type=") {
			failed += n
		}
	}
	assert.Positive(t, failed, "%v", got)
}

// Two clients of one Meters add up.
func TestTwoClients(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	m, reader := newMeters(t)
	for range 2 {
		cache := openCache(t, m, cluster, batch.Config{})
		_, err := m.WatchClient(cache.Client())
		require.NoError(t, err)
		pairs := somePairs(t, 100)
		require.NoError(t, cache.Get(t.Context(), pairs, make([]routecache.Answer, 100)))
	}
	got := collect(t, reader, cluster.Addrs()...)
	assert.EqualValues(t, 2, got["slotcast.batch.duration slotcast.operation=get"])
	assert.EqualValues(t, 2, got["slotcast.connections node=#0 slotcast.connection.state=idle"])
	assert.EqualValues(t, 2, got["slotcast.topology.changes"])
	assert.NotContains(t, got, "slotcast.cache.sets")
}
