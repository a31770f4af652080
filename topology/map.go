package topology

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/slotcast/slotcast/crc16"
)

// NoShard is the shard number of a slot that nobody serves.
const NoShard = 0xFFFF

// Map says which shard holds which slot. It is immutable, and may be used by any number of goroutines.
//
// A shard's number is its index in Shards. Numbers belong to one Map: take no number from one to another.
type Map struct {
	slots   [crc16.SlotCount]uint16 // 32 KiB: one load per look-up, whatever the number of ranges
	shards  []Shard
	covered int
}

// NewMap makes the map of shards, which it copies. They are put in canonical order, by first slot and then by the
// primary's id, and those without slots last; so equal clusters make equal maps, whatever order a server lists them in
// (https://github.com/valkey-io/valkey/issues/114).
//
// It is an error when two shards hold the same slot, a range is empty or ends beyond the last slot, a shard with slots
// has a primary without an address, or there are more shards than slots.
func NewMap(shards []Shard) (*Map, error) {
	if len(shards) > crc16.SlotCount {
		return nil, fmt.Errorf("topology: %d shards, more than slots", len(shards))
	}
	m := &Map{shards: make([]Shard, len(shards))}
	for i, s := range shards {
		if len(s.Slots) > 0 && s.Primary.Addr == "" {
			return nil, fmt.Errorf("topology: the primary %q has slots and no address", s.Primary.ID)
		}
		s.Replicas = slices.Clone(s.Replicas)
		slices.SortFunc(s.Replicas, compareNodes)
		s.Slots = slices.Clone(s.Slots)
		slices.SortFunc(s.Slots, func(a, b Range) int { return cmp.Compare(a.Start, b.Start) })
		m.shards[i] = s
	}
	slices.SortFunc(m.shards, compareShards)
	for i := range m.slots {
		m.slots[i] = NoShard
	}
	for i := range m.shards {
		if err := m.claim(uint16(i)); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// claim enters the slots of one shard into the table and joins ranges that touch.
func (m *Map) claim(shard uint16) error {
	s := &m.shards[shard]
	for _, r := range s.Slots {
		if r.Start >= r.End || r.End > crc16.SlotCount {
			return fmt.Errorf("topology: no slots [%d, %d)", r.Start, r.End)
		}
		for slot := r.Start; slot < r.End; slot++ {
			if other := m.slots[slot]; other != NoShard {
				return fmt.Errorf("topology: slot %d belongs to both %s and %s",
					slot, m.shards[other].Primary.Addr, s.Primary.Addr)
			}
			m.slots[slot] = shard
		}
		m.covered += int(r.End - r.Start)
	}
	s.Slots = joinRanges(s.Slots)
	return nil
}

func joinRanges(ranges []Range) []Range {
	joined := ranges[:0]
	for _, r := range ranges {
		if n := len(joined); n > 0 && joined[n-1].End == r.Start {
			joined[n-1].End = r.End
			continue
		}
		joined = append(joined, r)
	}
	return joined
}

func compareShards(a, b Shard) int {
	if c := cmp.Compare(firstSlot(a), firstSlot(b)); c != 0 {
		return c
	}
	if c := compareNodes(a.Primary, b.Primary); c != 0 {
		return c
	}
	return slices.CompareFunc(a.Replicas, b.Replicas, compareNodes) // of a primary that is told twice
}

func firstSlot(s Shard) uint16 {
	if len(s.Slots) == 0 {
		return crc16.SlotCount
	}
	return s.Slots[0].Start
}

// ShardOf returns the number of the shard that holds slot, or NoShard. It panics when slot is not below
// crc16.SlotCount.
func (m *Map) ShardOf(slot uint16) uint16 { return m.slots[slot] }

// Shards returns the shards; a shard's index is its number. The slice belongs to the map and must not be modified.
func (m *Map) Shards() []Shard { return m.shards }

// Covered returns how many of the slots somebody serves.
func (m *Map) Covered() int { return m.covered }
