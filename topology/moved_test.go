package topology_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/topology"
)

func TestWithMoved(t *testing.T) {
	shards := []topology.Shard{
		{Primary: testNode(1), Slots: ranges(0, 100), Replicas: []topology.Node{testNode(4), testNode(5)}},
		{Primary: testNode(2), Slots: ranges(100, 200), Replicas: []topology.Node{testNode(6)}},
		{Primary: testNode(3)},
	}
	addr := func(i int) string { return testNode(i).Addr }
	for _, tt := range []struct {
		name  string
		moves []topology.Move
		want  []topology.Shard
	}{
		{"to another primary", []topology.Move{{Slot: 50, Addr: addr(2)}}, []topology.Shard{
			{Primary: testNode(1), Slots: ranges(0, 50, 51, 100), Replicas: shards[0].Replicas},
			{Primary: testNode(2), Slots: ranges(50, 51, 100, 200), Replicas: shards[1].Replicas},
			shards[2],
		}},
		{"to a primary without slots", []topology.Move{{Slot: 99, Addr: addr(3)}, {Slot: 100, Addr: addr(3)}}, []topology.Shard{
			{Primary: testNode(1), Slots: ranges(0, 99), Replicas: shards[0].Replicas},
			{Primary: testNode(2), Slots: ranges(101, 200), Replicas: shards[1].Replicas},
			{Primary: testNode(3), Slots: ranges(99, 101)},
		}},
		{"a slot nobody had", []topology.Move{{Slot: 200, Addr: addr(2)}}, []topology.Shard{
			shards[0], {Primary: testNode(2), Slots: ranges(100, 201), Replicas: shards[1].Replicas}, shards[2],
		}},
		{"to an unknown address", []topology.Move{{Slot: 0, Addr: "new:1"}, {Slot: 199, Addr: "new:1"}, {Slot: 7, Addr: "newer:1"}},
			[]topology.Shard{
				{Primary: testNode(1), Slots: ranges(1, 7, 8, 100), Replicas: shards[0].Replicas},
				{Primary: testNode(2), Slots: ranges(100, 199), Replicas: shards[1].Replicas},
				shards[2],
				{Primary: topology.Node{Addr: "new:1"}, Slots: ranges(0, 1, 199, 200)},
				{Primary: topology.Node{Addr: "newer:1"}, Slots: ranges(7, 8)},
			}},
		{"to a replica of the shard: a failover", []topology.Move{{Slot: 3, Addr: addr(5)}, {Slot: 4, Addr: addr(5)}}, []topology.Shard{
			{Primary: testNode(5), Slots: ranges(0, 100), Replicas: []topology.Node{testNode(1), testNode(4)}},
			shards[1], shards[2],
		}},
		{"failover and back", []topology.Move{{Slot: 3, Addr: addr(5)}, {Slot: 3, Addr: addr(1)}}, shards},
		{"to a replica of another shard", []topology.Move{{Slot: 3, Addr: addr(6)}}, []topology.Shard{
			{Primary: testNode(1), Slots: ranges(0, 3, 4, 100), Replicas: shards[0].Replicas},
			shards[1], shards[2],
			{Primary: testNode(6), Slots: ranges(3, 4)},
		}},
		{"the last move of a slot counts", []topology.Move{{Slot: 3, Addr: addr(2)}, {Slot: 3, Addr: addr(3)}}, []topology.Shard{
			{Primary: testNode(1), Slots: ranges(0, 3, 4, 100), Replicas: shards[0].Replicas},
			shards[1],
			{Primary: testNode(3), Slots: ranges(3, 4)},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMap(t, shards...)
			moved := m.WithMoved(tt.moves)
			if diff := cmp.Diff(tt.want, moved.Shards()); diff != "" {
				t.Error(diff)
			}
			checkTable(t, moved)
			if diff := cmp.Diff(newMap(t, shards...).Shards(), m.Shards()); diff != "" {
				t.Error("the old map changed:", diff)
			}
			checkTable(t, m)
		})
	}
}

// A shard that lost its last slot keeps its number until the next refresh.
func TestWithMovedKeepsNumbers(t *testing.T) {
	m := newMap(t,
		topology.Shard{Primary: testNode(1), Slots: ranges(0, 1)},
		topology.Shard{Primary: testNode(2), Slots: ranges(1, 16384)})
	moved := m.WithMoved([]topology.Move{{Slot: 0, Addr: testNode(2).Addr}})
	assert.Equal(t, testNode(1), moved.Shards()[0].Primary)
	assert.Empty(t, moved.Shards()[0].Slots)
	assert.Equal(t, uint16(1), moved.ShardOf(0))
	assert.Equal(t, 16384, moved.Covered())
}

func TestWithMovedNoChange(t *testing.T) {
	m := newMap(t, evenShards(3, 0)...)
	assert.Same(t, m, m.WithMoved(nil))
	assert.Same(t, m, m.WithMoved([]topology.Move{{Slot: 0, Addr: testNode(1).Addr}, {Slot: 16383, Addr: testNode(3).Addr}}))
	assert.Same(t, m, m.WithMoved([]topology.Move{{Slot: 16384, Addr: "a:1"}, {Slot: 65535, Addr: "a:1"}, {Slot: 1}}))
}

// Whatever the moves, the ranges say what the table says, and numbers are stable.
func TestWithMovedRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	m := newMap(t, evenShards(5, 1)...)
	for range 50 {
		moves := make([]topology.Move, rng.IntN(20))
		for i := range moves {
			moves[i] = topology.Move{Slot: uint16(rng.IntN(16384)), Addr: testNode(1 + rng.IntN(12)).Addr}
		}
		moved := m.WithMoved(moves)
		checkTable(t, moved)
		require.GreaterOrEqual(t, len(moved.Shards()), len(m.Shards()))
		if n := len(moves); n > 0 {
			last := moves[n-1]
			require.Equal(t, last.Addr, moved.Shards()[moved.ShardOf(last.Slot)].Primary.Addr, "the last move holds")
		}
		m = moved
	}
	assert.Equal(t, 16384, m.Covered())
}

// checkTable compares the dense table with the ranges of the shards.
func checkTable(t *testing.T, m *topology.Map) {
	t.Helper()
	var want [16384]uint16
	for i := range want {
		want[i] = topology.NoShard
	}
	covered := 0
	for i, s := range m.Shards() {
		for j, r := range s.Slots {
			require.Less(t, r.Start, r.End)
			require.True(t, j == 0 || s.Slots[j-1].End < r.Start, "ranges %v", s.Slots)
			for slot := r.Start; slot < r.End; slot++ {
				want[slot] = uint16(i)
				covered++
			}
		}
	}
	for slot := range want {
		if got := m.ShardOf(uint16(slot)); got != want[slot] {
			t.Fatalf("slot %d: table says %d, ranges say %d", slot, got, want[slot])
		}
	}
	require.Equal(t, covered, m.Covered())
}
