package main

import (
	"math/rand/v2"
	"time"

	"github.com/slotcast/slotcast/routecache"
)

// resolution is that of the cells.
const resolution = 9

// A span is a range of the book's entries that are treated alike.
type span struct {
	first, last int // half-open
	ttl         time.Duration
}

func (s span) len() int { return s.last - s.first }

// keys are the entries of a run, by what happens to them.
type keys struct {
	lasting span // written once, and again only after a loss
	hot     span // written over and over
	brief   span // likewise, and expire in between
	absent  span // never written
	probes  span // written and read after each fault, some of each tag
}

const (
	lastingTTL = 24 * time.Hour // longer than any run
	briefTTL   = 3 * time.Second

	probesPerTag = 4
)

func planKeys(tags int) (k keys, total int) {
	add := func(n int, ttl time.Duration) span {
		s := span{total, total + n, ttl}
		total += n
		return s
	}
	k.lasting = add(600, lastingTTL)
	k.hot = add(600, lastingTTL)
	k.brief = add(300, briefTTL)
	k.absent = add(300, lastingTTL)
	k.probes = add(probesPerTag*tags, lastingTTL)
	return k, total
}

// fill gives the entries pairs of their own.
func (k *keys) fill(b *book, layout *routecache.Layout, rng *rand.Rand) {
	used := map[routecache.Pair]bool{}
	next := func() routecache.Pair {
		for {
			if p := (routecache.Pair{Origin: randomCell(rng), Dest: randomCell(rng)}); !used[p] {
				used[p] = true
				return p
			}
		}
	}
	anchors := layout.Anchors().List
	for _, s := range []span{k.lasting, k.hot, k.brief, k.absent, k.probes} {
		for i := s.first; i < s.last; i++ {
			p := next()
			if s == k.probes {
				for layout.Anchor(p) != (i-s.first)%len(anchors) {
					p = next()
				}
			}
			b.entries[i].pair, b.entries[i].slot, b.entries[i].ttl = p, anchors[layout.Anchor(p)].Slot, s.ttl
		}
	}
}

// randomCell makes a cell without the H3 library. Base cell 20 is a hexagon, so any digits below 7 are valid within it.
// Layout of an index: https://h3geo.org/docs/core-library/h3Indexing.
func randomCell(rng *rand.Rand) routecache.Cell {
	cell := uint64(1)<<59 | resolution<<52 | 20<<45
	for digit := 1; digit <= routecache.MaxResolution; digit++ {
		value := uint64(7) // unused
		if digit <= resolution {
			value = rng.Uint64N(7)
		}
		cell |= value << (3 * (routecache.MaxResolution - digit))
	}
	return routecache.Cell(cell)
}
