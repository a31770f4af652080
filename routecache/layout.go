package routecache

import (
	"fmt"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/topology"
)

// A Layout is how pairs become keys: the anchors of a walk, the table that gives each pair one of them, and the keys of
// each. It is not modified once made, and safe for concurrent use.
type Layout struct {
	anchors    *Anchors
	table      *Table
	keys       []KeyEncoder // by anchor
	slots      []uint16     // by anchor
	shards     *topology.Map
	template   Template
	resolution int
}

// NewLayout walks the map, or that many fixed ranges of slots if fixed is above 0.
func NewLayout(m *topology.Map, t Template, resolution, seats, fixed int) (*Layout, error) {
	if err := checkResolution(resolution); err != nil {
		return nil, err
	}
	var anchors *Anchors
	var err error
	if fixed > 0 {
		anchors, err = WalkFixed(fixed, t, seats)
	} else {
		anchors, err = Walk(m, t, seats)
	}
	if err != nil {
		return nil, err
	}
	l := &Layout{anchors: anchors, shards: m, template: t, resolution: resolution}
	if l.table, err = NewTable(anchors.Integers()); err != nil {
		return nil, err
	}
	for _, a := range anchors.List {
		l.keys = append(l.keys, NewKeyEncoder(t, a.N, resolution))
		l.slots = append(l.slots, a.Slot)
	}
	return l, nil
}

// Anchors are the integers that the walk kept.
func (l *Layout) Anchors() *Anchors { return l.anchors }

// Table gives each pair its anchor.
func (l *Layout) Table() *Table { return l.table }

// Anchor is the index of the pair's anchor in Anchors().List.
func (l *Layout) Anchor(p Pair) int { return l.table.Of(p, l.resolution) }

// AppendKey appends the key of the pair, as it is stored, to dst and returns it. Both cells are valid and of the layout's
// resolution.
func (l *Layout) AppendKey(dst []byte, p Pair) []byte { return l.keys[l.Anchor(p)].AppendKey(dst, p) }

// Topology is the map that was walked, or that was current when fixed ranges were.
func (l *Layout) Topology() *topology.Map { return l.shards }

// String sums the layout up in a line.
func (l *Layout) String() string {
	return fmt.Sprintf("%d anchors of %q over %d slots", len(l.anchors.List), l.template, crc16.SlotCount)
}

// sameAnchors reports whether both layouts give every pair the same key.
func (l *Layout) sameAnchors(o *Layout) bool {
	if len(l.anchors.List) != len(o.anchors.List) {
		return false
	}
	for i, a := range l.anchors.List {
		if a.N != o.anchors.List[i].N {
			return false
		}
	}
	return true
}
