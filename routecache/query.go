package routecache

import "math/bits"

// A query is the keys of a batch: each distinct pair of a call once. It implements batch.Keys. It is reused.
type query struct {
	layout *Layout
	pairs  []Pair
	first  []int32  // by item: the pair it stands for, the first of its duplicates
	anchor []uint16 // by item
	again  []repeat // the other duplicates
	seen   []uint32 // hash table of items, see prepareNear
	far    dealer   // instead of it in a large batch

	touched uint32 // keeps the reads of fetch from being left out
}

// A repeat is a pair that stands earlier in the same call.
type repeat struct{ pair, item int32 }

// prepare makes the items of the pairs, or returns a *PairError for the first that is not two valid cells of the layout's
// resolution: a key under an invalid cell would be found by nobody, or by too many. To find those that occur more than once
// costs each a look into a hash table, which is cheaper than a key on the wire.
func (q *query) prepare(l *Layout, pairs []Pair) error {
	n := len(pairs)
	q.layout, q.pairs, q.again = l, pairs, q.again[:0]
	if cap(q.first) < n {
		q.first, q.anchor = make([]int32, n), make([]uint16, n)
	}
	q.first, q.anchor = q.first[:n], q.anchor[:n]
	if n >= len(l.table.words)/wordsPerLine {
		q.touched += l.table.fetch()
	}
	if n > nearPairs {
		return q.prepareFar(pairs)
	}
	return q.prepareNear(pairs)
}

// prepareNear is the rest of prepare for up to nearPairs.
//
// An entry of the hash table has the item's number plus one in its low bits, as many as n needs, and bits of the pair's hash
// above them, so that pairs are compared only when they are most probably equal. The low bits of the hash say where to
// begin. Its top ones, which decide the anchor, are among those in the entry, but tell little in a batch of few anchors.
func (q *query) prepareNear(pairs []Pair) error {
	n, resolution, anchors := len(pairs), q.layout.resolution, q.layout.table
	first, anchor := q.first[:n], q.anchor[:n]
	cells := newCellsAt(resolution)
	seen := q.clear(n)
	mask := uint64(len(seen) - 1)
	low := uint32(1)<<bits.Len32(uint32(n)) - 1
	items := 0
next:
	for i, p := range pairs {
		if !cells.hexagons(p) && !p.validAt(resolution) {
			return newPairError(i, p, resolution)
		}
		hash := p.mix(resolution)
		tag := uint32(hash>>32) &^ low
		at := hash & mask
		for ; seen[at] != 0; at = (at + 1) & mask {
			if entry := seen[at]; entry&^low == tag {
				if k := int32(entry&low) - 1; pairs[first[k]] == p {
					q.again = append(q.again, repeat{int32(i), k})
					continue next
				}
			}
		}
		first[items], anchor[items] = int32(i), anchors.at(hash>>(64-bucketBits))
		items++
		seen[at] = tag | uint32(items)
	}
	q.first, q.anchor = first[:items], anchor[:items]
	return nil
}

// clear returns the hash table, empty and at most half full with n items.
func (q *query) clear(n int) []uint32 {
	size := max(16, 1<<bits.Len(uint(2*n-1)))
	if cap(q.seen) < size {
		q.seen = make([]uint32, size)
		return q.seen
	}
	q.seen = q.seen[:size]
	clear(q.seen)
	return q.seen
}

// Len is the number of distinct pairs.
func (q *query) Len() int { return len(q.first) }

// Slot is that of the anchor's tag.
func (q *query) Slot(k int) uint16 { return q.layout.slots[q.anchor[k]] }

// Slots sets the slots of all items.
func (q *query) Slots(dst []uint16) {
	slots := q.layout.slots
	for k, anchor := range q.anchor[:len(dst)] {
		dst[k] = slots[anchor]
	}
}

// AppendKey appends the key of item k as a RESP bulk string.
func (q *query) AppendKey(dst []byte, k int) []byte {
	return q.layout.keys[q.anchor[k]].AppendBulk(dst, q.pairs[q.first[k]])
}

// AppendKeys appends the keys of items as RESP bulk strings, those of one anchor at once.
func (q *query) AppendKeys(dst []byte, items []int32) []byte {
	for len(items) > 0 {
		anchor, n := q.anchor[items[0]], 1
		for n < len(items) && q.anchor[items[n]] == anchor {
			n++
		}
		dst = q.layout.keys[anchor].appendBulks(dst, q.pairs, q.first, items[:n])
		items = items[n:]
	}
	return dst
}

// release lets go of the caller's slices.
func (q *query) release() { q.layout, q.pairs = nil, nil }

// room is for how many pairs the arrays are made.
func (q *query) room() int { return cap(q.first) }

// usualPairs is for how many pairs the arrays of a query may be made that is kept for good: 450 KiB, most of it the
// hash table.
const usualPairs = 1 << 15
