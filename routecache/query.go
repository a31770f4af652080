package routecache

// A query is the keys of a batch: each distinct pair of a call once. It implements batch.Keys. It is reused.
type query struct {
	layout *Layout
	pairs  []Pair
	first  []int32  // by item: the pair it stands for, the first of its duplicates
	anchor []uint16 // by item
	again  []repeat // the other duplicates
	seen   []uint64 // hash table of items, see add
}

// A repeat is a pair that stands earlier in the same call.
type repeat struct{ pair, item int32 }

// prepare makes the items of the pairs. Pairs that occur more than once cost a look into a hash table each, which is
// cheaper than a key on the wire.
func (q *query) prepare(l *Layout, pairs []Pair) {
	q.layout, q.pairs = l, pairs
	q.first, q.anchor, q.again = q.first[:0], q.anchor[:0], q.again[:0]
	q.clear(len(pairs))
	for i, p := range pairs {
		hash := p.mix(l.resolution)
		if k := q.add(hash, p); k >= 0 {
			q.again = append(q.again, repeat{int32(i), k})
			continue
		}
		q.first = append(q.first, int32(i))
		q.anchor = append(q.anchor, l.table.anchors[hash>>(64-bucketBits)])
	}
}

// clear empties the hash table and sees that it is at least half empty with n items.
func (q *query) clear(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	if cap(q.seen) < size {
		q.seen = make([]uint64, size)
		return
	}
	q.seen = q.seen[:size]
	clear(q.seen)
}

// add returns the item of the pair, if it has one already, else it enters the next item for it and returns -1. An entry has
// 32 bits of the hash above the item's number plus one, so that the pairs themselves are looked at only when they are
// most probably equal. The low bits of the hash say where to begin; the top ones, which decide the anchor, are not in the
// entry's hash but in a batch with few anchors they say little.
func (q *query) add(hash uint64, p Pair) int32 {
	mask := uint64(len(q.seen) - 1)
	tag := hash &^ 0xffffffff
	for at := hash & mask; ; at = (at + 1) & mask {
		entry := q.seen[at]
		if entry == 0 {
			q.seen[at] = tag | uint64(len(q.first)+1)
			return -1
		}
		if entry&^0xffffffff == tag {
			if k := int32(entry) - 1; q.pairs[q.first[k]] == p {
				return k
			}
		}
	}
}

// Len is the number of distinct pairs.
func (q *query) Len() int { return len(q.first) }

// Slot is that of the anchor's tag.
func (q *query) Slot(k int) uint16 { return q.layout.anchors.List[q.anchor[k]].Slot }

// AppendKey appends the key of item k as a RESP bulk string.
func (q *query) AppendKey(dst []byte, k int) []byte {
	return q.layout.keys[q.anchor[k]].AppendBulk(dst, q.pairs[q.first[k]])
}

// release lets go of the caller's slices. What a large batch needed goes with the pool that q lies in, at the next
// collections of garbage.
func (q *query) release() { q.layout, q.pairs = nil, nil }
