package routecache

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/topology"
)

var (
	_ batch.ManyReads  = (*get)(nil)
	_ batch.ManyWrites = (*set)(nil)
)

// What is asked about many items at once is what is asked one by one, also where anchors alternate.
func TestManyAsOneByOne(t *testing.T) {
	m, err := topology.NewMap([]topology.Shard{{Primary: topology.Node{ID: "a", Addr: "h:1"}, Slots: []topology.Range{{Start: 0, End: 16384}}}})
	require.NoError(t, err)
	template, err := ParseTemplate(DefaultTemplate)
	require.NoError(t, err)
	for _, tt := range []struct{ tags, resolution int }{{1, 9}, {3, 9}, {40, 9}, {3, 5}, {3, 10}, {1, 13}, {40, 15}} {
		layout, err := NewLayout(m, template, tt.resolution, tt.tags, 0)
		require.NoError(t, err)
		cell := func(number int) Cell { // its last digits are those of the number, to the base of 7
			c := Cell(8)<<56 | Cell(tt.resolution)<<52 | 15<<45 | (1<<45 - 1)
			for digit := tt.resolution; digit > 0; digit-- {
				c ^= Cell(7^number%7) << (3 * (15 - digit))
				number /= 7
			}
			return c
		}
		var pairs []Pair
		var estimates []Estimate
		for i := range 100 {
			pairs = append(pairs, Pair{cell(i * 101), cell(10_000 - i*97)})
			estimates = append(estimates, Estimate{float64(i) / 8, float64(i*i*i) / 10})
		}
		var s set
		require.NoError(t, s.prepare(layout, pairs))
		s.last, s.estimates = s.first, estimates
		for n := range 100 {
			items := make([]int32, n)
			var keys, values []byte
			for i := range items {
				items[i] = int32((i*37 + n) % len(pairs))
				keys = s.AppendKey(keys, int(items[i]))
				values = s.AppendValue(values, int(items[i]))
			}
			assert.Equal(t, "x"+string(keys), string(s.AppendKeys([]byte("x"), items)))
			assert.Equal(t, "x"+string(values), string(s.AppendValues([]byte("x"), items)))
		}
		slots := make([]uint16, len(pairs))
		s.Slots(slots)
		for k := range slots {
			assert.Equal(t, s.Slot(k), slots[k])
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	layout, err := NewLayout(nil, must(ParseTemplate(DefaultTemplate)), 9, 1, 1)
	require.NoError(t, err)
	var q query
	good := Pair{0x89283082a53ffff, 0x89283082803ffff}
	require.NoError(t, q.prepare(layout, nil))
	require.NoError(t, q.prepare(layout, []Pair{good, good}))
	require.NoError(t, q.prepare(layout, []Pair{good, {0x89080000003ffff, good.Dest}, good}), "H8 a pentagon is a cell")
	tests := []struct {
		name string
		pair Pair
		want PairError
		text string
	}{
		{"H6 origin not valid", Pair{0, good.Dest}, PairError{Index: 1, Cell: 0, Resolution: 9}, "pair 1: origin 0 is not a valid"},
		{"H6 destination not valid", Pair{good.Origin, 0x89283082a53fffe}, PairError{Index: 1, Cell: 0x89283082a53fffe, Dest: true, Resolution: 9},
			"pair 1: destination 89283082a53fffe is not a valid"},
		{"H9 origin of another resolution", Pair{0x8a283082a537fff, good.Dest}, PairError{Index: 1, Cell: 0x8a283082a537fff, Resolution: 9},
			"pair 1: origin 8a283082a537fff has resolution 10, want 9"},
		{"H9 destination of another resolution", Pair{good.Origin, 0x8029fffffffffff}, PairError{Index: 1, Cell: 0x8029fffffffffff, Dest: true, Resolution: 9},
			"pair 1: destination 8029fffffffffff has resolution 0, want 9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := q.prepare(layout, []Pair{good, tt.pair, {}})
			var pairErr *PairError
			require.ErrorAs(t, err, &pairErr)
			assert.Equal(t, tt.want, *pairErr)
			assert.Contains(t, err.Error(), tt.text)

			many := slices.Repeat([]Pair{good}, 2*nearPairs)
			many[nearPairs+1], many[nearPairs+5] = tt.pair, Pair{}
			require.ErrorAs(t, q.prepare(layout, many), &pairErr)
			tt.want.Index = nearPairs + 1
			assert.Equal(t, tt.want, *pairErr)
		})
	}
}

// One hash table and many find the same items.
func TestPrepareFarAsNear(t *testing.T) {
	layout := must(NewLayout(nil, must(ParseTemplate(DefaultTemplate)), 9, 1, 3))
	rng := rand.New(rand.NewPCG(9, 10))
	for _, tt := range []struct{ pairs, distinct int }{
		{0, 1}, {1, 1}, {2, 1}, {64, 64}, {65, 30}, {1000, 1}, {1023, 2401 * 2401}, {5000, 2500}, {32_768, 2401 * 2401}, {40_000, 100},
		{70_000, 1}, {70_000, 35_000}, {140_000, 2401 * 2401},
	} {
		pairs := make([]Pair, tt.pairs)
		for i := range pairs {
			pairs[i] = numbered(rng.IntN(tt.distinct))
		}
		for _, tail := range []int{0, min(1, tt.pairs), tt.pairs / 3} {
			copy(pairs[tt.pairs-tail:], pairs)
			name := fmt.Sprintf("%d pairs, %d distinct, %d at the end as at the front", tt.pairs, tt.distinct, tail)
			var near, far query
			for _, q := range []*query{&near, &far} {
				q.layout, q.pairs, q.first, q.anchor = layout, pairs, make([]int32, len(pairs)), make([]uint16, len(pairs))
			}
			require.NoError(t, near.prepareNear(pairs), name)
			require.NoError(t, far.prepareFar(pairs), name)
			require.Equal(t, near.first, far.first, name)
			require.Equal(t, near.anchor, far.anchor, name)
			for k, i := range far.first {
				require.Equal(t, int(far.anchor[k]), layout.Anchor(pairs[i]), name)
			}
			// Those of one item come in the order of the pairs: the last one's estimate is stored.
			byItem := func(a, b repeat) int { return cmp.Compare(a.item, b.item) }
			slices.SortStableFunc(near.again, byItem)
			slices.SortStableFunc(far.again, byItem)
			require.Equal(t, near.again, far.again, name)
		}
	}
}

// numbered is one of 2401² pairs.
func numbered(i int) Pair {
	cell := func(i int) Cell {
		return 0x89283080003ffff | Cell(i%7)<<18 | Cell(i/7%7)<<21 | Cell(i/49%7)<<24 | Cell(i/343%7)<<27
	}
	return Pair{cell(i), cell(i / 2401)}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func BenchmarkPrepare(b *testing.B) {
	layout := must(NewLayout(nil, must(ParseTemplate(DefaultTemplate)), 9, 1, 3))
	for _, n := range []int{3000, 30_000, 60_000, 300_000, 1_000_000} {
		pairs := make([]Pair, n)
		for i := range pairs {
			pairs[i] = numbered(i)
		}
		b.Run(fmt.Sprintf("pairs=%d", n), func(b *testing.B) {
			var q query
			for b.Loop() {
				if err := q.prepare(layout, pairs); err != nil || q.Len() != n {
					b.Fatal(err, q.Len())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pair")
		})
	}
}
