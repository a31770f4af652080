package topology_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/slotcast/slotcast/internal/race"
	"github.com/slotcast/slotcast/topology"
)

func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates on its own account")
	}
	m := newMap(t, evenShards(3, 1)...)
	other := newMap(t, evenShards(3, 1)...)
	done := []topology.Move{{Slot: 0, Addr: testNode(1).Addr}}
	moved, noRedirect := []byte("MOVED 3999 127.0.0.1:6381"), []byte("WRONGTYPE Operation against a key")
	for _, tt := range []struct {
		name string
		want float64
		run  func()
	}{
		{"ShardOf", 0, func() { m.ShardOf(77) }},
		{"Shards", 0, func() { m.Shards() }},
		{"WithMoved without news", 0, func() { m.WithMoved(done) }},
		{"Equal", 0, func() { m.Equal(other) }},
		{"ParseRedirect: the host", 1, func() { topology.ParseRedirect(moved) }},
		{"ParseRedirect of another error", 0, func() { topology.ParseRedirect(noRedirect) }},
	} {
		assert.Equal(t, tt.want, testing.AllocsPerRun(100, tt.run), tt.name)
	}
}
