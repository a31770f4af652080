package batch

import "github.com/slotcast/slotcast/crc16"

// none ends a queue of groups.
const none = int32(-1)

// A group is the open items of one slot that travel in one command: order[from:to]. Items leave it at the front as
// they are answered, so that what remains after a fault is exactly what has to be asked again.
type group struct {
	via      *node    // where it was sent by ASK; nil is the owner of its slot
	refusal  *refusal // the last answer that made it wait; nil if none did
	from, to int32
	next     int32 // the group behind it in its run's queue
	bytes    int   // size of its command while it is in flight
	slot     uint16

	hops    uint8 // redirects followed
	tries   uint8 // waits and lost connections
	scripts uint8 // NOSCRIPT answers

	preface   preface // what its command was sent behind
	many      bool    // its command has many keys
	single    bool    // its slot is being migrated: never again with many keys
	asking    bool    // via must be told that the slot is on its way there; only single groups are sent so
	redialled bool    // its node was dialled anew for its sake
	refreshed bool    // the topology was refreshed for its sake
}

func (g *group) size() int { return int(g.to - g.from) }

// A grouping sorts the items of a batch by slot. It is reused from batch to batch.
type grouping struct {
	slots   []uint16 // slots[i] is the slot of item i
	order   []int32  // a permutation of the items: those of one slot stand side by side
	touched []uint16 // the slots that have items, in order of first appearance
	groups  []group
	count   [crc16.SlotCount]int32 // all zero between batches
}

// group is a counting sort of n items by slot; the items of a slot keep their order. Groups hold up to most items.
func (p *grouping) group(n int, keys ManyKeys, most int32) {
	p.slots = resize(p.slots, n)
	p.order = resize(p.order, n)
	p.touched = p.touched[:0]
	keys.Slots(p.slots)
	for _, slot := range p.slots {
		if p.count[slot] == 0 {
			p.touched = append(p.touched, slot)
		}
		p.count[slot]++
	}
	var start int32
	for _, slot := range p.touched {
		size := p.count[slot]
		for from := start; from < start+size; from += most {
			p.groups = append(p.groups, group{from: from, to: min(from+most, start+size), next: none, slot: slot})
		}
		p.count[slot] = start // from here on: where the next item of this slot goes
		start += size
	}
	for i, slot := range p.slots {
		p.order[p.count[slot]] = int32(i)
		p.count[slot]++
	}
	for _, slot := range p.touched {
		p.count[slot] = 0
	}
}

// split replaces group gi by groups of at most most items each and returns the range of the new ones in p.groups.
// It moves p.groups: pointers into it do not survive the call.
func (p *grouping) split(gi, most int32) (first, end int32) {
	g := p.groups[gi]
	g.next = none
	first = int32(len(p.groups))
	for from := g.from; from < g.to; from += most {
		part := g
		part.from, part.to = from, min(from+most, g.to)
		p.groups = append(p.groups, part)
	}
	return first, int32(len(p.groups))
}

// resize returns s with length n, reusing its array where that is neither too small nor far too big.
func resize[T any](s []T, n int) []T {
	if cap(s) < n || oversized(s, n) {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}

// emptied returns s without elements, and without its array where that is far too big for n elements. The elements
// are cleared, for what they point to.
func emptied[T any](s []T, n int) []T {
	if oversized(s, n) {
		return nil
	}
	clear(s)
	return s[:0]
}

// oversized reports whether the array of s is far too big for n elements: one batch of a million items must not pin its
// arrays for ever.
func oversized[T any](s []T, n int) bool { return cap(s) > 1<<14 && cap(s)/16 > n }
