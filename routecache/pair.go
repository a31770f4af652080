package routecache

import (
	"fmt"
	"math/bits"
)

// Pair is a question: how far is it from the one cell to the other. Both cells have the cache's resolution.
type Pair struct {
	Origin, Dest Cell
}

func (p Pair) validAt(resolution int) bool {
	return p.Origin.validAt(resolution) && p.Dest.validAt(resolution)
}

// PairError reports a pair with a cell that is not valid, or not of the cache's resolution.
type PairError struct {
	Index      int  // of the pair in the call's slice
	Cell       Cell // the first cell at fault
	Dest       bool // whether that is the destination
	Resolution int  // the resolution asked for
}

func newPairError(index int, p Pair, resolution int) *PairError {
	if p.Origin.validAt(resolution) {
		return &PairError{Index: index, Cell: p.Dest, Dest: true, Resolution: resolution}
	}
	return &PairError{Index: index, Cell: p.Origin, Resolution: resolution}
}

func (e *PairError) Error() string {
	end := "origin"
	if e.Dest {
		end = "destination"
	}
	if !e.Cell.Valid() {
		return fmt.Sprintf("routecache: pair %d: %s %v is not a valid H3 cell", e.Index, end, e.Cell)
	}
	return fmt.Sprintf("routecache: pair %d: %s %v has resolution %d, want %d", e.Index, end, e.Cell, e.Cell.Resolution(), e.Resolution)
}

// The keys of the mix are the fractions of the square roots of 3, 7 and 13. Their top bit is set and that of a cell is not,
// so that neither factor of a product is zero.
const (
	mixOrigin = 0xbb67ae8584caa73b
	mixDest   = 0xa54ff53a5f1d36f1
	mixFinish = 0x9b05688c2b3e6c1f
)

// mix returns 64 bits that depend on every bit of the pair and the resolution. Fixed format: it decides the anchor and so
// the key of a pair, and changing it empties every user's cache.
func (p Pair) mix(resolution int) uint64 {
	hi, lo := bits.Mul64(uint64(p.Origin)^mixOrigin, uint64(p.Dest)^mixDest)
	hi, lo = bits.Mul64(hi^lo^mixFinish, uint64(resolution)^mixDest)
	return hi ^ lo
}
