package routecache_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/routecache"
)

// Five equal ranges and four seats each were worked out by hand before the first line of code. Fixed format: anchors that
// change empty every user's cache.
func TestWalkFixedExample(t *testing.T) {
	a, err := routecache.WalkFixed(5, template(t, "routing:v1:%d"), 4)
	require.NoError(t, err)
	assert.Equal(t, 28, a.Tried)
	assert.Equal(t, 8, a.Skipped)
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 23, 27}, a.Integers())
	assert.Equal(t, []int{4, 4, 4, 4, 4}, a.Seats)
	for _, x := range a.List {
		assert.Equal(t, template(t, "routing:v1:%d").Slot(x.N), x.Slot)
		assert.Equal(t, int(x.Slot)*5/16384, int(x.Shard))
	}
}

// template parses s, which is good.
func template(t testing.TB, s string) routecache.Template {
	t.Helper()
	tmpl, err := routecache.ParseTemplate(s)
	require.NoError(t, err)
	return tmpl
}

func TestWalkFixedRanges(t *testing.T) {
	for _, ranges := range []int{1, 2, 3, 64, 1000, 16384} {
		a, err := routecache.WalkFixed(ranges, template(t, "%d"), 1)
		require.NoError(t, err)
		require.Len(t, a.List, ranges)
		for shard, n := range a.Seats {
			require.Equal(t, 1, n, "seats of range %d of %d", shard, ranges)
		}
		for i, x := range a.List {
			// Range r is the slots from 16384·r/ranges, rounded up.
			from := (16384*int(x.Shard) + ranges - 1) / ranges
			to := (16384*(int(x.Shard)+1) + ranges - 1) / ranges
			require.True(t, from <= int(x.Slot) && int(x.Slot) < to, "slot %d in range %d of %d", x.Slot, x.Shard, ranges)
			require.True(t, i == 0 || a.List[i-1].N < x.N, "ascending")
		}
	}
}

func TestWalkFixedRefuses(t *testing.T) {
	tests := []struct {
		name          string
		ranges, seats int
		want          string
	}{
		{"no ranges", 0, 1, "ranges"},
		{"negative ranges", -1, 1, "ranges"},
		{"more ranges than slots", 16385, 1, "ranges"},
		{"no seats", 3, 0, "at least"},
		{"too many anchors", 16384, 4, "65535"},
		{"overflow", 2, 1 << 62, "65535"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := routecache.WalkFixed(tt.ranges, template(t, "%d"), tt.seats)
			assert.Nil(t, a)
			var seats *routecache.SeatsError
			require.ErrorAs(t, err, &seats)
			assert.Contains(t, err.Error(), tt.want)
		})
	}
}
