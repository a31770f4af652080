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
	for _, tags := range []int{1, 3, 40} {
		layout, err := NewLayout(m, template, 9, tags, 0)
		require.NoError(t, err)
		var pairs []Pair
		var estimates []Estimate
		for i := range 100 {
			cell := Cell(0x89283080003ffff | uint64(i%7)<<18 | uint64(i/7%7)<<21 | uint64(i/49)<<24)
			pairs = append(pairs, Pair{cell, 0x89283082a53ffff})
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
