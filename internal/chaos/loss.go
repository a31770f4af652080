package main

import "slices"

// A loss is what a fault may have cost: of the given slots all writes that were acknowledged after kept and called for
// before until. Reads that ended before it began are not excused by it.
type loss struct {
	slots        []uint16
	kept         map[uint16]moment // by slot; a slot that is not there keeps nothing
	begun, until moment
}

// spares reports whether the write is certainly there after the loss.
func (l *loss) spares(slot uint16, w write) bool {
	if !slices.Contains(l.slots, slot) || w.begun >= l.until {
		return true
	}
	kept, ok := l.kept[slot]
	return ok && w.done <= kept
}

// lose enters the loss of a primary: its replica has what was secured, and maybe more.
func (b *book) lose(slots []uint16, begun, until moment) {
	b.enter(slots, begun, until, func(slot uint16) (moment, bool) { at, ok := b.secured[slot]; return at, ok })
}

// loseAll enters the loss of everything in the slots.
func (b *book) loseAll(slots []uint16, begun, until moment) {
	b.enter(slots, begun, until, func(uint16) (moment, bool) { return 0, false })
}

// handOver enters that another node became the primary of the slots without losing anything, but that for a while both
// answered: what was written to the one meanwhile the other may have missed.
func (b *book) handOver(slots []uint16, begun, until moment) {
	b.enter(slots, begun, until, func(uint16) (moment, bool) { return begun, true })
}

func (b *book) enter(slots []uint16, begun, until moment, kept func(uint16) (moment, bool)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := loss{slots: slots, begun: begun, until: until, kept: map[uint16]moment{}}
	for _, slot := range slots {
		if at, ok := kept(slot); ok {
			l.kept[slot] = at
		}
		delete(b.secured, slot) // there may be a single copy now
	}
	b.losses = append(b.losses, l)
	for i := range b.entries {
		e := &b.entries[i]
		e.mu.Lock()
		e.writes = slices.DeleteFunc(e.writes, func(w write) bool { return !l.spares(e.slot, w) })
		e.mu.Unlock()
	}
	for i := range b.suspects {
		if s := &b.suspects[i]; s.done >= begun {
			s.writes = slices.DeleteFunc(s.writes, func(w write) bool { return !l.spares(s.entry.slot, w) })
		}
	}
	b.suspects = slices.DeleteFunc(b.suspects, func(s suspect) bool { return len(s.writes) == 0 })
}

// secure enters that what was acknowledged by then is on the replicas of the slots' primaries.
func (b *book) secure(slots []uint16, at moment) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, slot := range slots {
		b.secured[slot] = at
	}
}

// unsecure takes that back: the slot is on the way to another primary, whose replica may lag behind.
func (b *book) unsecure(slot uint16) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.secured, slot)
}

// securedAt returns until when the slot's writes are secured. The lock is held.
func (b *book) securedAt(slot uint16) moment {
	if at, ok := b.secured[slot]; ok {
		return at
	}
	return never
}

// weak returns which of the entries first to last-1 have no write left that must be there.
func (b *book) weak(first, last int) (weak []int) {
	for i := first; i < last; i++ {
		now := b.now()
		if !b.entries[i].present(now, now) {
			weak = append(weak, i)
		}
	}
	return weak
}
