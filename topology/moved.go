package topology

import (
	"iter"
	"slices"

	"github.com/slotcast/slotcast/crc16"
)

// Move says that a slot is served by the node at Addr now, as a MOVED reply does. Addr is as in Node.Addr.
type Move struct {
	Slot uint16
	Addr string
}

// WithMoved returns the map after moves, in the order given, or m itself if they change nothing. m is not modified, and
// copied at most once.
//
// A slot goes to the shard whose primary is at Addr. If Addr is a replica of the shard that holds the slot, it has been
// promoted: it becomes the primary of that shard with all its slots, and the old primary a replica. Any other address
// gets a new shard at the end, without a shard id. Existing shards keep their numbers, also one that is left without
// slots. A move with a slot out of range or without an address is ignored.
func (m *Map) WithMoved(moves []Move) *Map {
	out := m
	for _, mv := range moves {
		if mv.Slot >= crc16.SlotCount || mv.Addr == "" {
			continue
		}
		from := out.slots[mv.Slot]
		if from != NoShard && out.shards[from].Primary.Addr == mv.Addr {
			continue
		}
		if out == m {
			out = m.clone()
		}
		out.move(mv, from)
	}
	if out != m {
		out.renewRanges(m)
	}
	return out
}

func (m *Map) clone() *Map {
	c := *m
	c.shards = slices.Clone(m.shards)
	return &c
}

// move carries out one move on a map nobody else has seen yet. It leaves Shard.Slots to renewRanges.
func (m *Map) move(mv Move, from uint16) {
	if from != NoShard && m.promote(from, mv.Addr) {
		return
	}
	to := slices.IndexFunc(m.shards, func(s Shard) bool { return s.Primary.Addr == mv.Addr })
	if to < 0 {
		if len(m.shards) == NoShard {
			return // cannot be numbered; the refresh that follows sorts it out
		}
		to = len(m.shards)
		m.shards = append(m.shards, Shard{Primary: m.nodeAt(mv.Addr)})
	}
	if from == NoShard {
		m.covered++
	}
	m.slots[mv.Slot] = uint16(to)
}

// promote makes the replica at addr the primary of its shard, if there is such a replica.
func (m *Map) promote(shard uint16, addr string) bool {
	s := &m.shards[shard]
	i := slices.IndexFunc(s.Replicas, func(n Node) bool { return n.Addr == addr })
	if i < 0 {
		return false
	}
	replicas := slices.Clone(s.Replicas)
	replicas[i], s.Primary = s.Primary, replicas[i]
	slices.SortFunc(replicas, compareNodes)
	s.Replicas = replicas
	return true
}

// nodeAt returns what is known of the node at addr, which may be a replica elsewhere.
func (m *Map) nodeAt(addr string) Node {
	for n := range m.nodes() {
		if n.Addr == addr {
			return n
		}
	}
	return Node{Addr: addr}
}

// renewRanges makes Shard.Slots agree with the table again, for the shards whose slots differ from those in old.
func (m *Map) renewRanges(old *Map) {
	stale := make([]bool, len(m.shards))
	for slot, s := range m.slots {
		if was := old.slots[slot]; was != s {
			stale[s] = true
			if was != NoShard {
				stale[was] = true
			}
		}
	}
	for i := range stale {
		if stale[i] {
			m.shards[i].Slots = nil
		}
	}
	for slot, s := range m.slots {
		if s == NoShard || !stale[s] {
			continue
		}
		shard := &m.shards[s]
		if n := len(shard.Slots); n > 0 && shard.Slots[n-1].End == uint16(slot) {
			shard.Slots[n-1].End++
			continue
		}
		shard.Slots = append(shard.Slots, Range{uint16(slot), uint16(slot) + 1})
	}
}

// nodes yields every node, primaries and replicas, shard by shard.
func (m *Map) nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for _, s := range m.shards {
			if s.Primary.Addr != "" && !yield(s.Primary) {
				return
			}
			for _, r := range s.Replicas {
				if !yield(r) {
					return
				}
			}
		}
	}
}
