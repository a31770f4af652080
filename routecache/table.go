package routecache

import "slices"

const (
	// Buckets is the number of buckets of every Table, whatever the number of anchors: fixed, so that a bucket means the
	// same pairs before and after the cluster grew. 2^17 of them give anchors equal shares to within 1 % up to
	// 1,310 anchors; above, shares still differ by one bucket at most.
	Buckets    = 1 << bucketBits
	bucketBits = 17
	bucketMask = Buckets - 1
)

// Table gives every bucket of pairs an anchor. It depends on the set of the anchors' integers alone. It is not modified
// once made, and safe for concurrent use.
//
// It is packed as tightly as a power of two of bits for each bucket allows, since a batch looks into it at random all
// over: of three anchors it takes 32 KiB, which the processor keeps at hand, where 16 bits each would take 256.
type Table struct {
	words []uint64 // buckets of 1<<width bits, the first in the low bits
	width uint
	mask  uint64 // of one bucket
}

// at is the anchor of a bucket.
func (t *Table) at(bucket uint64) uint16 {
	bit := bucket << (t.width & 7)
	return uint16(t.words[bit>>6] >> (bit & 63) & t.mask)
}

// fetch reads a word of each cache line, so that the lines come from far away all at once instead of one by one as they are
// found to be needed: after the milliseconds that the servers take to store a batch, prepare takes 35 µs for 3,000 pairs
// with it, and 58 without. The sum is for the caller to keep, else the reads would be left out.
func (t *Table) fetch() (sum uint32) {
	for i := 0; i < len(t.words); i += wordsPerLine {
		sum += uint32(t.words[i])
	}
	return sum
}

const wordsPerLine = 8

// pack makes the table of the anchors by bucket, which are indexes below n.
func pack(anchors []uint16, n int) *Table {
	t := new(Table)
	for n > 1<<(1<<t.width) {
		t.width++
	}
	t.mask = 1<<(1<<t.width) - 1
	t.words = make([]uint64, len(anchors)<<t.width>>6)
	for bucket, anchor := range anchors {
		bit := bucket << t.width
		t.words[bit>>6] |= uint64(anchor) << (bit & 63)
	}
	return t
}

// Of returns the anchor of the pair at the resolution, as an index into the integers the table was made from.
func (t *Table) Of(p Pair, resolution int) int {
	return int(t.at(p.mix(resolution) >> (64 - bucketBits)))
}

// Anchor returns the anchor of a bucket, 0 to Buckets-1, as an index into the integers the table was made from.
func (t *Table) Anchor(bucket int) int { return int(t.at(uint64(bucket))) }

// NewTable fills a table for the anchors with these integers, in any order, which are 1 to MaxAnchors different ones, none
// negative; else the error is an *IntegersError. Every anchor gets as many buckets as any other, or one more.
//
// Each anchor has an order of preference over all the buckets, its own for good. In turns, by ascending integer, all anchors
// go down their orders one step at a time: a bucket is the first's to come to it, until an anchor has its share (and, while
// there are some left to give, one more). That is rendezvous hashing, with the position in the order for a score, under a
// bound. The work is about 12 steps per bucket however many anchors there are: 2.5 ms for 3, 6 ms for 1,000.
//
// From one set of anchors to a larger or smaller one, the share of buckets re-assigned is, in multiples of the least that
// equal shares allow (and in brackets what Maglev's filling re-assigns):
//
//	3 → 4: 1.00 (1.00)     12 → 16: 1.01 (1.01)      100 → 101: 1.20 (1.36)
//	12 → 13: 1.02 (1.03)   768 → 1,024: 1.06 (1.09)  1,000 → 1,001: 3.5 (6.5), which is 0.35 % of the buckets
//
// If anchors come and others go, sets a and b agree on nearly |a∩b|/|a∪b| of the buckets. No way of choosing betters that
// for some sets but at the cost of others (Moulton and Jiang, https://arxiv.org/abs/1809.04052).
//
// Fixed format: the table decides the keys of pairs, and changing it empties every user's cache.
func NewTable(integers []int) (*Table, error) {
	running, err := newPreferences(integers)
	if err != nil {
		return nil, err
	}
	const free = MaxAnchors
	anchors := make([]uint16, Buckets)
	for b := range anchors {
		anchors[b] = free
	}
	share, extra := int32(Buckets/len(running)), Buckets%len(running)
	for left := Buckets; left > 0; {
		full := false
		for i := range running {
			r := &running[i]
			b := r.next()
			if anchors[b] != free {
				continue
			}
			if r.has >= share {
				if extra == 0 {
					full = true
					continue
				}
				extra--
			}
			anchors[b] = r.anchor
			r.has++
			left--
			full = full || r.has > share || r.has == share && extra == 0
		}
		if full {
			running = slices.DeleteFunc(running, func(r preference) bool { return r.has > share || r.has == share && extra == 0 })
		}
	}
	return pack(anchors, len(integers)), nil
}
