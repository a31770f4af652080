package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
)

// decode runs an experiment and reads its JSON.
func decode[R any](t *testing.T, args ...string) (r R) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(ok(t, append(args, "-json")...)))
	require.NoError(t, d.Decode(&r))
	return r
}

// content returns all keys and values of the cluster, sorted.
func content(t *testing.T, c *redistest.Cluster) (all []string) {
	t.Helper()
	for _, n := range c.Nodes() {
		keys, err := n.Do("KEYS", "*")
		require.NoError(t, err)
		for _, key := range keys.Elems {
			value, err := n.Do("GET", key.Text)
			require.NoError(t, err)
			all = append(all, key.Text+"="+value.Text)
		}
	}
	slices.Sort(all)
	return all
}

// neighbours stores keys of somebody else; some look almost like the lab's.
func neighbours(t *testing.T, c *redistest.Cluster) {
	t.Helper()
	for i := range 40 {
		key := fmt.Sprint("somebody:", i)
		if i%2 == 0 {
			key = fmt.Sprintf("{slotcast:lab:2:%d}89283082a53ffff:892830828efffff:9", i)
		}
		stored := false
		for _, n := range c.Nodes() {
			_, err := n.Do("SET", key, "1")
			stored = stored || err == nil
		}
		require.True(t, stored)
	}
}

// TestOnOneCluster runs all experiments on one cluster, as a user's own, and requires that they leave it as it was.
func TestOnOneCluster(t *testing.T) {
	c := redistest.Start(t, redistest.Config{})
	neighbours(t, c)
	before := content(t, c)
	require.Len(t, before, 40)
	addrs := strings.Join(c.Addrs()[:2], ", ")
	small := func(name string, more ...string) []string {
		return append([]string{name, "-addrs", addrs, "-rounds", "1", "-group", "2"}, more...)
	}

	t.Run("fanout, the mission's example", func(t *testing.T) {
		r := decode[fanoutResult](t, small("fanout")...)
		assert.Equal(t, "mission", r.Order)
		assert.Equal(t, []int{3, 3, 3, 2, 2, 3}, r.ChunkSlots)
		assert.Equal(t, []int{24, 24, 16, 3}, []int{r.Gets, r.PerSlot, r.Chunked, r.Grouped})
		require.Len(t, r.Ways, 5)
		assert.Equal(t, []int{6, 5, 5}, sorted(r.Ways[2].Commands))
		assert.Equal(t, []int{1, 1, 1}, r.Ways[3].Commands)
		assert.Equal(t, []int{1, 1, 1}, r.Ways[4].Commands)
		for _, w := range r.Ways {
			assert.Len(t, w.Spans, w.total(), w.Name)
			for _, s := range w.Spans {
				assert.LessOrEqual(t, s.From, s.To, w.Name)
			}
		}
	})
	t.Run("fanout, other levers", func(t *testing.T) {
		r := decode[fanoutResult](t, small("fanout", "-keys", "500", "-chunk", "50", "-tags", "2", "-workers", "3")...)
		assert.Equal(t, "asked", r.Order)
		assert.Equal(t, 500, r.Gets)
		assert.Equal(t, r.Untagged, r.PerSlot)
		assert.Greater(t, r.PerSlot, 450)
		assert.Equal(t, sum(r.ChunkSlots), r.Chunked)
		assert.Equal(t, 6, r.Grouped)
		assert.Len(t, r.Ways[0].Spans, keptSpans)
	})
	t.Run("the same seed has the same counts", func(t *testing.T) {
		one, again := decode[fanoutResult](t, small("fanout", "-keys", "300")...), decode[fanoutResult](t, small("fanout", "-keys", "300")...)
		other := decode[fanoutResult](t, small("fanout", "-keys", "300", "-seed", "3")...)
		counts := func(r fanoutResult) (all [][]int) {
			for _, w := range r.Ways {
				all = append(all, w.Commands)
			}
			return append(all, r.ChunkSlots)
		}
		assert.Equal(t, counts(one), counts(again))
		assert.NotEqual(t, counts(one), counts(other))
	})
	t.Run("hotspot", func(t *testing.T) {
		r := decode[hotspotResult](t, small("hotspot", "-couriers", "200", "-origin", "9,6")...)
		require.Len(t, r.Tags, 3)
		for _, tag := range r.Tags {
			assert.Equal(t, r.Keys, sum(tag.Keys), tag.Name)
			assert.Equal(t, tag.Slots, tag.total(), "%s: a command per slot", tag.Name)
		}
		anchors, fine, coarse := r.Tags[0], r.Tags[1], r.Tags[2]
		assert.Equal(t, []int{1, 1, 1}, anchors.Commands)
		assert.Greater(t, fine.Slots, 10*coarse.Slots)
		assert.Greater(t, coarse.share(), 0.6)
		assert.Less(t, anchors.share(), 0.4)
		assert.LessOrEqual(t, r.Keys, r.Trips)
	})
	t.Run("write", func(t *testing.T) {
		r := decode[writeResult](t, small("write", "-keys", "300")...)
		assert.Equal(t, 300, r.way("SET EX").total())
		assert.Equal(t, map[string]int{"mset": 3, "expire": 300}, r.way("MSET,").Kinds)
		assert.Equal(t, 3, r.way("EVALSHA").total())
		assert.Equal(t, r.MSETEX == msetexSafe, r.way("MSETEX") != nil)
		assert.Less(t, r.way("EVALSHA").BytesOut, r.way("SET EX").BytesOut)
		assert.Less(t, r.way("SET EX").BytesOut, r.way("MSET,").BytesOut)
		require.Len(t, r.Crashes, 3)
		for _, crash := range r.Crashes {
			want := 0
			if strings.HasPrefix(crash.Way, "MSET") {
				want = crash.Keys
			}
			assert.Equal(t, want, crash.Stranded, crash.Way)
		}
		assert.Equal(t, r.Crashes[0].Keys/2, r.Crashes[0].There)
		assert.Equal(t, r.Crashes[2].Keys, r.Crashes[2].There)
	})
	t.Run("tags", func(t *testing.T) {
		r := decode[tagsResult](t, small("tags", "-keys", "600", "-tags", "1,4", "-hits", "50")...)
		require.Len(t, r.Tags, 2)
		assert.Equal(t, []int{1, 1, 1}, r.Tags[0].Commands)
		assert.Equal(t, []int{4, 4, 4}, r.Tags[1].Commands)
		assert.Equal(t, 300, r.Hits)
		assert.Equal(t, 600, sum(r.Tags[1].ByPrimary))
	})
	t.Run("walk over the cluster", func(t *testing.T) {
		r := decode[walkSum](t, "walk", "-addrs", addrs, "-tags", "2")
		assert.Equal(t, []int{2, 2, 2}, r.PerPrimary)
	})
	for _, name := range []string{"fanout", "hotspot", "write", "tags"} {
		t.Run("the text of "+name, func(t *testing.T) {
			text := ok(t, small(name)...)
			assert.Contains(t, text, "cluster at "+c.Addrs()[0])
			assert.Greater(t, strings.Count(text, "\n"), 5)
		})
	}
	t.Run("a report, without the peers", func(t *testing.T) {
		r := decode[reportResult](t, "report", "-addrs", addrs, "-quick", "-skip", "resolution,codec", "-o", filepath.Join(t.TempDir(), "page.html"))
		assert.Contains(t, r.NoPeers, "-addrs has no use here")
		assert.Equal(t, 16, r.Fanout.Chunked)
		assert.Contains(t, r.Write.Cluster, addrs)
	})
	assert.Equal(t, before, content(t, c), "the cluster is not as it was")

	t.Run("interrupted while it writes", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var stderr bytes.Buffer
		status := run(ctx, small("write"), &stderr, writerFunc(func(p []byte) {
			stderr.Write(p)
			if bytes.Contains(p, []byte("in each way")) {
				cancel()
			}
		}))
		assert.Equal(t, 1, status)
		assert.Contains(t, stderr.String(), "lab: interrupted; nothing is left behind\n")
		assert.Equal(t, before, content(t, c))
	})
}

// writerFunc is told of each write.
type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

func sorted(values []int) []int {
	all := slices.Sorted(slices.Values(values))
	slices.Reverse(all)
	return all
}
