package topology_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/topology"
)

// ranges makes half-open ranges of pairs of numbers.
func ranges(ends ...uint16) []topology.Range {
	var rs []topology.Range
	for i := 0; i < len(ends); i += 2 {
		rs = append(rs, topology.Range{Start: ends[i], End: ends[i+1]})
	}
	return rs
}

func newMap(t testing.TB, shards ...topology.Shard) *topology.Map {
	t.Helper()
	m, err := topology.NewMap(shards)
	require.NoError(t, err)
	return m
}

func TestNewMap(t *testing.T) {
	m := newMap(t,
		topology.Shard{Primary: testNode(3)},
		topology.Shard{Primary: testNode(2), Slots: ranges(16383, 16384, 10, 20)},
		topology.Shard{Primary: testNode(1), Slots: ranges(20, 30, 0, 10), Replicas: []topology.Node{testNode(5), testNode(4)}},
	)
	want := []topology.Shard{
		{Primary: testNode(1), Slots: ranges(0, 10, 20, 30), Replicas: []topology.Node{testNode(4), testNode(5)}},
		{Primary: testNode(2), Slots: ranges(10, 20, 16383, 16384)},
		{Primary: testNode(3)},
	}
	if diff := cmp.Diff(want, m.Shards()); diff != "" {
		t.Error(diff)
	}
	for slot, want := range map[uint16]uint16{
		0: 0, 9: 0, 10: 1, 19: 1, 20: 0, 29: 0, 30: topology.NoShard, 16382: topology.NoShard, 16383: 1,
	} {
		assert.Equal(t, want, m.ShardOf(slot), "slot %d", slot)
	}
	assert.Equal(t, 31, m.Covered())
}

func TestNewMapOrder(t *testing.T) {
	t.Run("C29 a primary that is told twice", func(t *testing.T) {
		shards := []topology.Shard{
			{Primary: testNode(1), Slots: ranges(0, 16384)},
			{Primary: testNode(2), Replicas: []topology.Node{testNode(3)}},
			{Primary: testNode(2)},
		}
		m := newMap(t, shards...)
		slices.Reverse(shards)
		assert.Equal(t, m.Shards(), newMap(t, shards...).Shards())
		assert.True(t, m.Equal(newMap(t, shards...)))
	})
}

func TestNewMapJoinsRanges(t *testing.T) {
	m := newMap(t, topology.Shard{Primary: testNode(1), Slots: ranges(5, 6, 0, 5, 8, 9, 6, 7)})
	assert.Equal(t, ranges(0, 7, 8, 9), m.Shards()[0].Slots)
}

func TestNewMapCopies(t *testing.T) {
	shards := []topology.Shard{
		{Primary: testNode(2), Slots: ranges(8, 9, 0, 8), Replicas: []topology.Node{testNode(4), testNode(3)}},
		{Primary: testNode(1), Slots: ranges(9, 16384)},
	}
	before := slices.Clone(shards[0].Slots)
	m := newMap(t, shards...)
	assert.Equal(t, before, shards[0].Slots, "the input is not sorted in place")
	shards[0].Slots[0], shards[0].Replicas[0] = topology.Range{Start: 100, End: 101}, topology.Node{}
	assert.Equal(t, ranges(0, 9), m.Shards()[0].Slots)
	assert.Equal(t, testNode(3), m.Shards()[0].Replicas[0])
}

func TestNewMapErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		shards []topology.Shard
		want   string
	}{
		{"C6 two shards hold a slot", []topology.Shard{
			{Primary: testNode(1), Slots: ranges(0, 100)}, {Primary: testNode(2), Slots: ranges(99, 200)},
		}, "slot 99 belongs to both 10.0.0.1:6379 and 10.0.0.2:6379"},
		{"C6 one shard holds a slot twice", []topology.Shard{{Primary: testNode(1), Slots: ranges(0, 100, 50, 60)}}, "slot 50"},
		{"empty range", []topology.Shard{{Primary: testNode(1), Slots: ranges(7, 7)}}, "no slots [7, 7)"},
		{"range the wrong way round", []topology.Shard{{Primary: testNode(1), Slots: ranges(8, 7)}}, "no slots [8, 7)"},
		{"range beyond the last slot", []topology.Shard{{Primary: testNode(1), Slots: ranges(0, 16385)}}, "no slots [0, 16385)"},
		{"slots without an address", []topology.Shard{{Primary: topology.Node{ID: "x"}, Slots: ranges(0, 1)}}, `primary "x"`},
		{"more shards than slots", make([]topology.Shard, 16385), "16385 shards"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := topology.NewMap(tt.shards)
			assert.Nil(t, m)
			assert.ErrorContains(t, err, tt.want)
		})
	}
}

func TestEmptyMap(t *testing.T) {
	m := newMap(t)
	assert.Equal(t, 0, m.Covered())
	assert.Empty(t, m.Shards())
	assert.Equal(t, uint16(topology.NoShard), m.ShardOf(0))
}
