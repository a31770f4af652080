package routecache_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/race"
	"github.com/slotcast/slotcast/routecache"
)

// Worked out by a second program in another language. Fixed format: a table that changes gives pairs other anchors and
// empties every user's cache.
func TestTableGolden(t *testing.T) {
	tests := []struct {
		name     string
		integers []int
		first    []int // integers of the anchors of buckets 0 to 7
		hash     uint64
	}{
		{"one", []int{0}, []int{0, 0, 0, 0, 0, 0, 0, 0}, 0xfc31bff590c22325},
		{"two", []int{0, 1}, []int{1, 1, 1, 1, 1, 1, 1, 1}, 0xde4703e1772929b5},
		{"three primaries", []int{0, 1, 2}, []int{1, 2, 1, 1, 1, 1, 1, 1}, 0xb3f195a2dba17204},
		{"four primaries", []int{0, 1, 2, 3}, []int{3, 2, 1, 3, 3, 1, 1, 3}, 0xddfb11f966a76625},
		{"twenty of five primaries", []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 23, 27}, []int{3, 12, 1, 9, 3, 5, 1, 9}, 0x17f4e3ecad662fd8},
		{"far apart", []int{5, 1234567, 9_999_999}, []int{9999999, 9999999, 1234567, 5, 9999999, 5, 1234567, 9999999}, 0xbb37813ddc01f517},
		{"a thousand", upTo(1000), []int{880, 964, 972, 878, 732, 734, 555, 673}, 0x3655fc8cb91b94cb},
		{"sixty thousand", upTo(60_000), []int{27375, 47774, 9103, 14694, 54548, 11706, 14072, 29799}, 0xc38a94bbfd565676},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := owners(t, tt.integers)
			assert.Equal(t, tt.first, got[:8])
			h := fnv.New64a()
			for _, n := range got {
				h.Write([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
			}
			assert.Equal(t, fmt.Sprintf("%#016x", tt.hash), fmt.Sprintf("%#016x", h.Sum64()))
		})
	}
}

func TestTableGivesEqualShares(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 7, 12, 16, 100, 768, 1000, 1310, 1311, 60_000, routecache.MaxAnchors} {
		t.Run(fmt.Sprintf("G9 %d anchors", n), func(t *testing.T) {
			counts := make(map[int]int, n)
			for _, owner := range owners(t, upTo(n)) {
				counts[owner]++
			}
			require.Len(t, counts, n)
			least, most := routecache.Buckets, 0
			for _, c := range counts {
				least, most = min(least, c), max(most, c)
			}
			assert.Equal(t, routecache.Buckets/n, least)
			assert.Equal(t, (routecache.Buckets+n-1)/n, most)
			if n <= 1310 {
				equal := float64(routecache.Buckets) / float64(n)
				assert.InEpsilon(t, equal, least, 0.01)
				assert.InEpsilon(t, equal, most, 0.01)
			}
		})
	}
}

func TestTableIsOfTheSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 12, 300} {
		integers := distinct(rng, n)
		want := owners(t, integers)
		for range 5 {
			rng.Shuffle(n, func(i, j int) { integers[i], integers[j] = integers[j], integers[i] })
			assert.True(t, slices.Equal(want, owners(t, integers)), "another order of %d anchors", n)
		}
	}
}

// When the set of anchors changes from a to b, those in both keep at best min(1/|a|, 1/|b|) of the buckets each. If one
// set contains the other, the table re-assigns at most 1.3 times what is left.
func TestTableMovesLittleWhenAnchorsComeOrGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, change := range [][2]int{
		{1, 2}, {2, 3}, {3, 4}, {4, 3}, {4, 5}, {5, 6}, {12, 13}, {12, 16}, {16, 12}, {50, 51}, {100, 101}, {101, 100},
		{64, 128}, {64 * 3, 64 * 4}, {64 * 12, 64 * 13}, {64 * 12, 64 * 16}, {1000, 1500},
	} {
		t.Run(fmt.Sprintf("%d to %d", change[0], change[1]), func(t *testing.T) {
			all := distinct(rng, max(change[0], change[1]))
			sets := map[string][2][]int{
				"the last":  {upTo(change[0]), upTo(change[1])},
				"arbitrary": {all[:change[0]], all[:change[1]]},
				"the first": {all[len(all)-change[0]:], all[len(all)-change[1]:]},
			}
			for name, s := range sets {
				if race.Enabled && name != "arbitrary" {
					continue // ten times slower, and there is nothing to race
				}
				assertMoved(t, name, s[0], s[1], 1.3*least(s[0], s[1]))
			}
		})
	}
	t.Run("each of 20 out of the middle", func(t *testing.T) {
		all := distinct(rng, 20)
		for i := range all {
			fewer := slices.Delete(slices.Clone(all), i, i+1)
			assertMoved(t, fmt.Sprint(i), all, fewer, 1.3*least(all, fewer))
		}
	})
}

// If some come and others go, no table serves all pairs of sets at the least (see NewTable): 1 - |a∩b|/|a∪b| is what the
// best can do, and this one is near it.
func TestTableMovesLittleWhenAnchorsComeAndGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, tt := range []struct{ a, b, both int }{
		{3, 3, 2}, {3, 4, 2}, {12, 12, 11}, {12, 13, 11}, {12, 16, 10}, {100, 100, 50}, {100, 100, 99}, {100, 120, 90}, {5, 5, 0}, {1, 1, 0},
	} {
		t.Run(fmt.Sprintf("%d to %d with %d in both", tt.a, tt.b, tt.both), func(t *testing.T) {
			all := distinct(rng, tt.a+tt.b-tt.both)
			a, b := all[:tt.a], all[tt.a-tt.both:]
			jaccard := 1 - float64(tt.both)/float64(len(all))
			assertMoved(t, "sets", a, b, min(1, 1.15*jaccard))
		})
	}
}

// A cluster that grows from equal ranges to equal ranges is the hardest case for the walk: every range begins elsewhere.
func TestTableMovesLittleWhenAClusterGrows(t *testing.T) {
	for _, change := range [][2]int{{3, 4}, {4, 3}, {12, 16}, {16, 12}} {
		for _, seats := range []int{1, 4, 16, 64} {
			t.Run(fmt.Sprintf("%d to %d primaries with %d seats", change[0], change[1], seats), func(t *testing.T) {
				var sets [2][]int
				for i, primaries := range change {
					a, err := routecache.WalkFixed(primaries, template(t, routecache.DefaultTemplate), seats)
					require.NoError(t, err)
					sets[i] = a.Integers()
				}
				assertMoved(t, "walks", sets[0], sets[1], 1.3*least(sets[0], sets[1]))
			})
		}
	}
}

func TestNewTableRefuses(t *testing.T) {
	tests := []struct {
		name     string
		integers []int
		want     string
	}{
		{"none", nil, "needs one"},
		{"too many", upTo(routecache.MaxAnchors + 1), "room for 65535"},
		{"twice the same", []int{4, 0, 4}, "4 is there twice"},
		{"negative", []int{0, -1}, "-1 is negative"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := routecache.NewTable(tt.integers)
			assert.Nil(t, table)
			var integers *routecache.IntegersError
			require.ErrorAs(t, err, &integers)
			assert.Equal(t, len(tt.integers), integers.Anchors)
			assert.Contains(t, err.Error(), tt.want)
		})
	}
}

// The shares of pairs follow the shares of buckets.
func TestTableOfPairs(t *testing.T) {
	integers := []int{2, 7, 1, 8}
	table, err := routecache.NewTable(integers)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(7, 8))
	counts := make([]int, len(integers))
	for range 100_000 {
		p := routecache.Pair{Origin: routecache.Cell(rng.Uint64()), Dest: routecache.Cell(rng.Uint64())}
		counts[table.Of(p, 9)]++
		require.Equal(t, table.Of(p, 9), table.Of(p, 9))
	}
	for _, n := range counts {
		assert.InDelta(t, 25_000, n, 700)
	}
}

// owners returns the integer of each bucket's anchor.
func owners(t *testing.T, integers []int) []int {
	t.Helper()
	table, err := routecache.NewTable(integers)
	require.NoError(t, err)
	got := make([]int, routecache.Buckets)
	for b := range got {
		got[b] = integers[table.Anchor(b)]
	}
	return got
}

// least returns the smallest share of the buckets that any two tables with equal shares must differ in.
func least(a, b []int) float64 {
	both := 0
	for _, n := range a {
		if slices.Contains(b, n) {
			both++
		}
	}
	return 1 - float64(both)/float64(max(len(a), len(b)))
}

func assertMoved(t *testing.T, name string, a, b []int, bound float64) {
	t.Helper()
	before, after := owners(t, a), owners(t, b)
	moved := 0
	for i := range before {
		if before[i] != after[i] {
			moved++
		}
	}
	share := float64(moved) / routecache.Buckets
	t.Logf("%s: %.4f re-assigned, %.3f times the least", name, share, share/least(a, b))
	assert.LessOrEqual(t, share, bound, name)
}

// distinct returns n different integers below 20n in random order.
func distinct(rng *rand.Rand, n int) []int {
	return rng.Perm(20 * n)[:n]
}
