//go:build cgo

package workload_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/routecache"
)

func TestCellPairs(t *testing.T) {
	for _, test := range []struct{ n, resolution int }{{0, 9}, {1, 9}, {3000, 9}, {3000, 6}, {3000, 12}, {50_000, 9}} {
		t.Run(fmt.Sprintf("%d at %d", test.n, test.resolution), func(t *testing.T) {
			pairs, estimates, err := workload.CellPairs(test.n, test.resolution, 1)
			require.NoError(t, err)
			require.Len(t, pairs, test.n)
			require.Len(t, estimates, test.n)
			seen := map[routecache.Pair]bool{}
			for i, p := range pairs {
				require.True(t, p.Origin.Valid() && p.Dest.Valid())
				require.Equal(t, test.resolution, p.Origin.Resolution())
				require.Equal(t, test.resolution, p.Dest.Resolution())
				require.False(t, seen[p], "pair %d comes twice", i)
				// A courier who stands before the restaurant is zero away.
				require.GreaterOrEqual(t, estimates[i].Metres, 0.0)
				seen[p] = true
			}
			again, _, err := workload.CellPairs(test.n, test.resolution, 1)
			require.NoError(t, err)
			assert.Equal(t, pairs, again)
		})
	}
	t.Run("another seed", func(t *testing.T) {
		one, _, err := workload.CellPairs(100, 9, 1)
		require.NoError(t, err)
		two, _, err := workload.CellPairs(100, 9, 2)
		require.NoError(t, err)
		assert.NotEqual(t, one, two)
	})
	t.Run("too coarse", func(t *testing.T) {
		_, _, err := workload.CellPairs(1000, 1, 1)
		require.ErrorContains(t, err, "workload: an evening at resolution 1 has ")
	})
	t.Run("no such resolution", func(t *testing.T) {
		_, _, err := workload.CellPairs(10, 16, 1)
		var want *routecache.ResolutionError
		require.ErrorAs(t, err, &want)
	})
}

func TestSnapperAgreesWithSnap(t *testing.T) {
	s := workload.NewSnapper(10)
	points := around(50, 0.05)
	for range 2 {
		for i, a := range points[1:] {
			b := points[i]
			got, err := s.Pair(workload.Trip{Origin: a, Dest: b})
			require.NoError(t, err)
			origin, err := routecache.Snap(a, 10)
			require.NoError(t, err)
			dest, err := routecache.Snap(b, 10)
			require.NoError(t, err)
			require.Equal(t, routecache.Pair{Origin: origin, Dest: dest}, got)
		}
	}
	_, err := s.Pair(workload.Trip{Dest: workload.LatLng{Lat: 91}})
	var want *routecache.CoordError
	require.ErrorAs(t, err, &want)
}

func BenchmarkCellPairs(b *testing.B) {
	for _, n := range []int{3000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("pairs=%d", n), func(b *testing.B) {
			for b.Loop() {
				pairs, _, err := workload.CellPairs(n, 9, 1)
				if err != nil || len(pairs) != n {
					b.Fatal(len(pairs), err)
				}
			}
		})
	}
}
