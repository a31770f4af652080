package routecache

import "math/bits"

// nearPairs is the size of the largest batch whose duplicates are found with one hash table. The table of a larger one lies
// so far from the processor that each look into it would be waited for: from 60,000 pairs on parts are faster.
const nearPairs = 1 << 15

// A dealer finds the duplicates of a large batch. It deals the pairs out into parts by their hashes, so that equal pairs are
// in the same part, and the hash table of a part is near. All else it does from front to back, which is fast however far
// away. With it prepare takes 9 ns a pair for 300,000 pairs; with one table, of which 32 entries were fetched at once, it
// took 16.5 (BenchmarkPrepare). 3,000 pairs take 5.7 with their one table.
type dealer struct {
	hashes []uint32 // by pair
	dealt  []card   // part by part, each in the order of the pairs
	ends   []int32  // by part, where it ends in dealt
	table  []card   // of the part at hand
	again  []uint64 // by pair, a bit: it stands earlier in the batch
	ranks  []int32  // by word of again, the number of items before
}

// A card is a pair that is dealt out: its index plus one, since 0 marks an empty entry of the table.
type card struct {
	hash   uint32
	number int32
}

// partSize is how many pairs a part has at most, where few are equal, and half of that at least. Its table takes 32 KiB then
// and is at most a quarter full: one that is up to half full costs 2 ns a pair more, since where a search ends is guessed
// wrong more often.
const partSize = 1024

// prepareFar is the rest of prepare for more than nearPairs.
func (q *query) prepareFar(pairs []Pair) error {
	d, n, words := &q.far, len(pairs), (len(pairs)+63)/64
	if cap(d.hashes) < n {
		*d = dealer{hashes: make([]uint32, n), dealt: make([]card, n), again: make([]uint64, words), ranks: make([]int32, words)}
	}
	d.hashes, d.dealt, d.again, d.ranks = d.hashes[:n], d.dealt[:n], d.again[:words], d.ranks[:words]
	if err := q.hash(pairs); err != nil {
		return err
	}
	shift := d.deal()
	clear(d.again)
	start := int32(0)
	for _, end := range d.ends {
		q.findAgain(d.dealt[start:end], shift)
		start = end
	}
	q.number()
	return nil
}

// hash checks the pairs and sets hashes and anchors.
func (q *query) hash(pairs []Pair) error {
	resolution, table := q.layout.resolution, q.layout.table
	cells := newCellsAt(resolution)
	hashes, anchor := q.far.hashes[:len(pairs)], q.anchor[:len(pairs)]
	for i, p := range pairs {
		if !cells.hexagons(p) && !p.validAt(resolution) {
			return newPairError(i, p, resolution)
		}
		hash := p.mix(resolution)
		hashes[i], anchor[i] = uint32(hash), table.at(hash>>(64-bucketBits))
	}
	return nil
}

// deal is a counting sort by the low bits of the hashes. It returns how many bits that are.
func (d *dealer) deal() (shift int) {
	shift = bits.Len(uint(len(d.hashes) / partSize))
	parts := 1 << shift
	if cap(d.ends) < parts {
		d.ends = make([]int32, parts)
	}
	d.ends = d.ends[:parts]
	clear(d.ends)
	ends, low := d.ends, uint32(parts-1)
	for _, hash := range d.hashes {
		ends[hash&low]++
	}
	sum := int32(0)
	for part, n := range ends {
		ends[part] = sum // where it begins, until it is dealt
		sum += n
	}
	for i, hash := range d.hashes {
		at := &ends[hash&low]
		d.dealt[*at] = card{hash, int32(i) + 1}
		*at++
	}
	return shift
}

// findAgain finds the pairs of a part that stand earlier in it.
func (q *query) findAgain(part []card, shift int) {
	d := &q.far
	size := 1 << bits.Len(uint(4*len(part)))
	if cap(d.table) < size {
		d.table = make([]card, size)
	}
	table := d.table[:size]
	clear(table)
	mask := uint32(size - 1)
next:
	for _, c := range part {
		at := c.hash >> shift & mask
		for ; table[at].number != 0; at = (at + 1) & mask {
			if e := table[at]; e.hash == c.hash && q.pairs[e.number-1] == q.pairs[c.number-1] {
				i := c.number - 1
				d.again[i/64] |= 1 << (i % 64)
				q.again = append(q.again, repeat{i, e.number - 1})
				continue next
			}
		}
		table[at] = c
	}
}

// number numbers the items in the order of their pairs.
func (q *query) number() {
	d := &q.far
	first, anchor := q.first, q.anchor
	items := 0
	for w, again := range d.again {
		d.ranks[w] = int32(items)
		for i := 64 * w; i < min(64*w+64, len(d.hashes)); i++ {
			first[items], anchor[items] = int32(i), anchor[i]
			items += int(^again & 1) // the next one overwrites a pair that stands earlier
			again >>= 1
		}
	}
	q.first, q.anchor = first[:items], anchor[:items]
	for k := range q.again {
		i := q.again[k].item // the pair, until now
		q.again[k].item = d.ranks[i/64] + int32(bits.OnesCount64(^d.again[i/64]&(1<<(i%64)-1)))
	}
}
