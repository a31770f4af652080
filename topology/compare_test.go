package topology_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/slotcast/slotcast/topology"
)

func TestMapComparison(t *testing.T) {
	base := func() []topology.Shard { return evenShards(3, 2) }
	for _, tt := range []struct {
		name         string
		change       func([]topology.Shard) []topology.Shard
		equal, shape bool
	}{
		{"no change", func(s []topology.Shard) []topology.Shard { return s }, true, true},
		{"C29 another order of shards and replicas", func(s []topology.Shard) []topology.Shard {
			slices.Reverse(s)
			for i := range s {
				slices.Reverse(s[i].Replicas)
			}
			return s
		}, true, true},
		{"C27 other addresses of the same nodes", func(s []topology.Shard) []topology.Shard {
			for i := range s {
				s[i].Primary.Addr = "[2001:db8::1]:6379"
				s[i].Replicas[0].Addr = "[2001:db8::2]:6379"
			}
			return s
		}, true, true},
		{"health, zone and shard id", func(s []topology.Shard) []topology.Shard {
			s[0].ID, s[0].Primary.Health, s[0].Primary.AvailabilityZone = "x", "fail", "z"
			return s
		}, true, true},
		{"failover", func(s []topology.Shard) []topology.Shard {
			s[0].Primary, s[0].Replicas[1] = s[0].Replicas[1], s[0].Primary
			return s
		}, false, true},
		{"a replica is gone", func(s []topology.Shard) []topology.Shard {
			s[2].Replicas = s[2].Replicas[:1]
			return s
		}, false, true},
		{"a primary without slots joins", func(s []topology.Shard) []topology.Shard {
			return append(s, topology.Shard{Primary: testNode(50)})
		}, false, true},
		{"two shards swap their slots", func(s []topology.Shard) []topology.Shard {
			s[0].Slots, s[1].Slots = s[1].Slots, s[0].Slots
			return s
		}, false, true},
		{"one slot moves", func(s []topology.Shard) []topology.Shard {
			s[0].Slots[0].End--
			s[1].Slots[0].Start--
			return s
		}, false, false},
		{"one slot is lost", func(s []topology.Shard) []topology.Shard {
			s[0].Slots[0].End--
			return s
		}, false, false},
		{"two shards become one", func(s []topology.Shard) []topology.Shard {
			s[0].Slots = append(s[0].Slots, s[1].Slots...)
			return append(s[:1], s[2])
		}, false, false},
		{"one shard becomes two", func(s []topology.Shard) []topology.Shard {
			end := s[2].Slots[0].End
			s[2].Slots[0].End -= 100
			return append(s, topology.Shard{Primary: testNode(50), Slots: ranges(end-100, end)})
		}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := newMap(t, base()...), newMap(t, tt.change(base())...)
			assert.Equal(t, tt.equal, a.Equal(b), "Equal")
			assert.Equal(t, tt.equal, b.Equal(a), "Equal the other way round")
			assert.Equal(t, tt.shape, a.SameShape(b), "SameShape")
			assert.Equal(t, tt.shape, b.SameShape(a), "SameShape the other way round")
		})
	}
}

// Coverage may be equal in number and differ in place.
func TestSameShapeOtherSlotsCovered(t *testing.T) {
	a := newMap(t, topology.Shard{Primary: testNode(1), Slots: ranges(0, 10)})
	b := newMap(t, topology.Shard{Primary: testNode(1), Slots: ranges(5, 15)})
	assert.False(t, a.SameShape(b))
	assert.False(t, b.SameShape(a))
}

func TestEqualWithoutIDs(t *testing.T) {
	bare := func(addr string) *topology.Map {
		return newMap(t, topology.Shard{Primary: topology.Node{Addr: addr}, Slots: ranges(0, 16384)})
	}
	assert.True(t, bare("a:1").Equal(bare("a:1")))
	assert.False(t, bare("a:1").Equal(bare("b:1")))
	withID := newMap(t, topology.Shard{Primary: topology.Node{ID: "x", Addr: "a:1"}, Slots: ranges(0, 16384)})
	assert.True(t, withID.Equal(bare("a:1")), "one side knows the address only")
}

func TestCompareNil(t *testing.T) {
	m := newMap(t, evenShards(1, 0)...)
	var none *topology.Map
	assert.False(t, none.Equal(m))
	assert.False(t, m.Equal(none))
	assert.True(t, none.Equal(none))
	assert.False(t, none.SameShape(m))
	assert.False(t, m.SameShape(none))
	assert.True(t, none.SameShape(none))
}
