package routecache

import (
	"fmt"
	"slices"
)

// golden is 2^64 over the golden ratio.
const golden = 0x9e3779b97f4a7c15

// preference walks through all buckets once, in an order that is an anchor's own.
type preference struct {
	x          uint32 // the step, times mul, plus the anchor's offset
	mul1, mul2 uint32 // odd
	anchor     uint16 // index of the anchor
	has        int32  // buckets the anchor has got
}

// newPreference derives the order from the anchor's integer. Fixed format.
func newPreference(integer int, anchor uint16) preference {
	h1 := scramble(uint64(integer) + golden)
	h2 := scramble(h1 + golden)
	return preference{x: uint32(h1 >> 32), mul1: uint32(h1) | 1, mul2: uint32(h2) | 1, anchor: anchor}
}

// next returns the next bucket. Each line is a bijection of 17 bits, so that 2^17 calls return every bucket once.
func (p *preference) next() uint32 {
	b := p.x & bucketMask
	p.x += p.mul1
	b ^= b >> 9
	b = b * p.mul2 & bucketMask
	b ^= b >> 8
	b = b * (golden>>47 | 1) & bucketMask
	return b ^ b>>9
}

// scramble is a bijection of 64 bits in which each bit of the result depends on each of x.
func scramble(x uint64) uint64 {
	x = (x ^ x>>32) * mixOrigin
	x = (x ^ x>>29) * mixDest
	return x ^ x>>32
}

// newPreferences returns the preferences of the anchors, ordered by integer so that a table does not depend on the order
// in which the integers come.
func newPreferences(integers []int) ([]preference, error) {
	fail := func(reason string) error { return &IntegersError{Anchors: len(integers), Reason: reason} }
	if len(integers) == 0 {
		return nil, fail("a table needs one at least")
	}
	if len(integers) > MaxAnchors {
		return nil, fail(fmt.Sprintf("a table has room for %d", MaxAnchors))
	}
	order := make([]int, len(integers))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return integers[i] - integers[j] })
	ps := make([]preference, len(order))
	for k, i := range order {
		if integers[i] < 0 {
			return nil, fail(fmt.Sprintf("%d is negative", integers[i]))
		}
		if k > 0 && integers[i] == integers[order[k-1]] {
			return nil, fail(fmt.Sprintf("%d is there twice", integers[i]))
		}
		ps[k] = newPreference(integers[i], uint16(i))
	}
	return ps, nil
}

// IntegersError reports anchors that no table can be made for.
type IntegersError struct {
	Anchors int // how many there are
	Reason  string
}

func (e *IntegersError) Error() string {
	return fmt.Sprintf("routecache: %d anchors: %s", e.Anchors, e.Reason)
}
