package routecache

import (
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
