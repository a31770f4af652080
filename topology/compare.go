package topology

import "slices"

// Equal reports whether both maps have the same shards: the same nodes in the same roles with the same slots. Nodes are
// compared by id where both have one, so a node that got another address is still the same. Health, zones, and the
// servers' names of shards do not count.
func (m *Map) Equal(o *Map) bool {
	if m == o {
		return true
	}
	if m == nil || o == nil {
		return false
	}
	return slices.EqualFunc(m.canonical(), o.canonical(), equalShards)
}

// canonical returns the shards in the order NewMap puts them in, which WithMoved does not keep.
func (m *Map) canonical() []Shard {
	if slices.IsSortedFunc(m.shards, compareShards) {
		return m.shards
	}
	shards := slices.Clone(m.shards)
	slices.SortFunc(shards, compareShards)
	return shards
}

func equalShards(a, b Shard) bool {
	return sameNode(a.Primary, b.Primary) && slices.Equal(a.Slots, b.Slots) && slices.EqualFunc(a.Replicas, b.Replicas, sameNode)
}

func sameNode(a, b Node) bool {
	if a.ID != "" && b.ID != "" {
		return a.ID == b.ID
	}
	return a.Addr == b.Addr
}

// sameAddrs reports whether every node of two equal maps has the same address in both.
func (m *Map) sameAddrs(o *Map) bool {
	same := func(a, b Node) bool { return a.Addr == b.Addr }
	return slices.EqualFunc(m.canonical(), o.canonical(), func(a, b Shard) bool {
		return same(a.Primary, b.Primary) && slices.EqualFunc(a.Replicas, b.Replicas, same)
	})
}

// identical reports whether the maps do not differ in anything.
func (m *Map) identical(o *Map) bool {
	return m == o || m != nil && o != nil && slices.EqualFunc(m.shards, o.shards, func(a, b Shard) bool {
		return a.ID == b.ID && a.Primary == b.Primary && slices.Equal(a.Replicas, b.Replicas) && slices.Equal(a.Slots, b.Slots)
	})
}

// SameShape reports whether both maps divide the slots among shards in the same way, whoever the nodes are. A failover
// changes no shape, nor does a replica that comes or goes.
func (m *Map) SameShape(o *Map) bool {
	if m == o {
		return true
	}
	if m == nil || o == nil {
		return false
	}
	there := filled(len(m.shards))
	back := filled(len(o.shards))
	for slot, a := range m.slots {
		b := o.slots[slot]
		if a == NoShard || b == NoShard {
			if a != b {
				return false
			}
			continue
		}
		if there[a] == NoShard && back[b] == NoShard {
			there[a], back[b] = b, a
		}
		if there[a] != b {
			return false
		}
	}
	return true
}

func filled(n int) []uint16 {
	s := make([]uint16, n)
	for i := range s {
		s[i] = NoShard
	}
	return s
}

// related reports whether the two maps have a node in common. Without ids in either map the addresses decide.
func related(a, b *Map) bool {
	known := make(map[string]bool)
	for n := range a.nodes() {
		known[n.ID] = true
		known[n.Addr] = true
	}
	for n := range b.nodes() {
		if n.ID != "" && known[n.ID] || (n.ID == "" || !a.hasIDs()) && known[n.Addr] {
			return true
		}
	}
	return false
}

func (m *Map) hasIDs() bool {
	for n := range m.nodes() {
		if n.ID != "" {
			return true
		}
	}
	return false
}

// sameOwners reports whether the same nodes own the same slots in both maps. Two views of one cluster may differ for a
// moment in replicas and in health; what counts when one confirms the other is who serves what.
func sameOwners(a, b *Map) bool {
	if !a.SameShape(b) {
		return false
	}
	for slot, s := range a.slots {
		if s == NoShard {
			continue
		}
		if !sameNode(a.shards[s].Primary, b.shards[b.slots[slot]].Primary) {
			return false
		}
	}
	return true
}

// keeps reports whether every slot that old covers is covered by m too.
func (m *Map) keeps(old *Map) bool {
	for slot, s := range old.slots {
		if s != NoShard && m.slots[slot] == NoShard {
			return false
		}
	}
	return true
}
