package batch_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oneTagPer returns, for each shard of the client's map, so many tags whose slots it owns.
func oneTagPer(c *batch.Client, tags int) [][]string {
	m := c.Topology()
	out := make([][]string, len(m.Shards()))
	for n, full := 0, 0; full < len(out); n++ {
		tag := fmt.Sprint("t", n)
		shard := m.ShardOf(crc16.Slot(tag))
		if len(out[shard]) < tags {
			if out[shard] = append(out[shard], tag); len(out[shard]) == tags {
				full++
			}
		}
	}
	return out
}

func TestCommandsPerPrimary(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	ctx := context.Background()
	for _, test := range []struct {
		name       string
		tags, keys int // per primary, per tag
		primaries  int
	}{
		{"one tag per primary", 1, 1000, 3},
		{"four tags per primary", 4, 250, 3},
		{"one primary only", 1, 50, 1},
		{"two keys", 1, 2, 1},
	} {
		t.Run("E22 "+test.name, func(t *testing.T) {
			var counter writeCounter
			c := open(t, batch.Config{Addrs: cluster.Addrs(), Conn: conn.Config{Dial: counter.dial}})
			var k keys
			for _, tags := range oneTagPer(c, test.tags)[:test.primaries] {
				for _, tag := range tags {
					k = append(k, tagged(tag, test.keys)...)
				}
			}
			require.NoError(t, c.Get(ctx, newReads(t, k))) // opens the connections
			require.NoError(t, cluster.ResetStats())

			before := counter.calls.Load()
			w := newWrites(k)
			require.NoError(t, c.Set(ctx, w, time.Minute))
			assert.Equal(t, every(len(k), 1), w.stored)
			assert.EqualValues(t, test.primaries, counter.calls.Load()-before, "writes of the Set")

			before = counter.calls.Load()
			r := newReads(t, k)
			require.NoError(t, c.Get(ctx, r))
			assert.Equal(t, values(k), r.got)
			assert.EqualValues(t, test.primaries, counter.calls.Load()-before, "writes of the Get")

			var mget, evalsha, others []int64
			for _, node := range cluster.Nodes() {
				stats, err := node.CommandStats()
				require.NoError(t, err)
				if stats["mget"].Calls+stats["evalsha"].Calls > 0 {
					mget = append(mget, stats["mget"].Calls)
					evalsha = append(evalsha, stats["evalsha"].Calls)
				}
				others = append(others, stats["get"].Calls+stats["eval"].Calls)
			}
			assert.Equal(t, every(test.primaries, int64(test.tags)), mget)
			assert.Equal(t, every(test.primaries, int64(test.tags)), evalsha)
			assert.Equal(t, make([]int64, 3), others)
		})
	}
}

// With MaxSetKeys of 1 there is a SET to a key, still in one write a primary, and each key has its time to live.
func TestSetOneByOne(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	ctx := context.Background()
	var counter writeCounter
	c := open(t, batch.Config{Addrs: cluster.Addrs(), MaxSetKeys: 1, Conn: conn.Config{Dial: counter.dial}})
	var k keys
	for _, tags := range oneTagPer(c, 2) {
		for _, tag := range tags {
			k = append(k, tagged(tag, 200)...)
		}
	}
	require.NoError(t, c.Get(ctx, newReads(t, k))) // opens the connections
	require.NoError(t, cluster.ResetStats())
	before := counter.calls.Load()
	w := newWrites(k)
	require.NoError(t, c.Set(ctx, w, time.Minute))
	assert.Equal(t, every(len(k), 1), w.stored)
	assert.EqualValues(t, 3, counter.calls.Load()-before)
	r := newReads(t, k)
	require.NoError(t, c.Get(ctx, r))
	assert.Equal(t, values(k), r.got)
	for _, node := range cluster.Nodes() {
		stats, err := node.CommandStats()
		require.NoError(t, err)
		assert.EqualValues(t, 400, stats["set"].Calls)
		assert.Zero(t, stats["evalsha"].Calls+stats["eval"].Calls)
		assert.EqualValues(t, 2, stats["mget"].Calls, "reads are as before")
		info, err := node.Do("INFO", "keyspace")
		require.NoError(t, err)
		text, _ := info.AsText()
		assert.Contains(t, text, "keys=400,expires=400,")
	}
}

func TestSizes(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	c := open(t, batch.Config{Addrs: cluster.Addrs(), Conn: conn.Config{Timeout: time.Minute}})
	ctx := context.Background()
	for _, n := range []int{0, 1, 2, 100, 100_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			tags := oneTagPer(c, 1)
			k := make(keys, n)
			for i := range k {
				k[i] = fmt.Sprintf("{%s}%d/%d", tags[i%3][0], n, i)
			}
			r := newReads(t, k)
			require.NoError(t, c.Get(ctx, r))
			assert.Equal(t, every(n, missing), r.got)
			w := newWrites(k)
			require.NoError(t, c.Set(ctx, w, time.Minute))
			assert.Equal(t, every(n, 1), w.stored)
			r = newReads(t, k)
			require.NoError(t, c.Get(ctx, r))
			assert.Equal(t, values(k), r.got)
		})
	}
}

func TestUntaggedKeys(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	c := open(t, batch.Config{Addrs: cluster.Addrs()})
	ctx := context.Background()
	k := make(keys, 3000)
	for i := range k {
		k[i] = fmt.Sprint("plain", i)
	}
	require.NoError(t, c.Set(ctx, newWrites(k[:1500]), time.Minute))
	r := newReads(t, k)
	require.NoError(t, c.Get(ctx, r))
	assert.Equal(t, append(values(k[:1500]), every(1500, missing)...), r.got)
}
