package routecache

import (
	"math/bits"
	"strconv"
	"strings"
)

// Cell is the H3 index of a cell. The zero Cell is not valid. A Cell is a number, so two spellings of one index make one
// key.
type Cell uint64

// MaxResolution is the finest of H3's resolutions, 0 to 15.
const MaxResolution = 15

// An index holds, from the top: one reserved bit, four bits of mode (1 for a cell), three reserved bits, four of
// resolution, seven of base cell, then fifteen digits of three bits. Digits finer than the resolution are all 7, the
// others are 0 to 6. https://h3geo.org/docs/core-library/h3Indexing
const (
	topShift        = 56
	topOfCell       = 0x08
	resolutionShift = 52
	baseCellShift   = 45
	digitBits       = 3
	digitsMask      = 1<<baseCellShift - 1
	digitLowBits    = 0o111_111_111_111_111
	baseCells       = 122
)

// pentagons has a bit for each base cell that is a pentagon.
var pentagons = func() (set [2]uint64) {
	for _, b := range [...]int{4, 14, 24, 38, 49, 58, 63, 72, 83, 97, 107, 117} {
		set[b/64] |= 1 << (b % 64)
	}
	return set
}()

// Valid reports whether c is a cell of H3, by the same rules as the C library's isValidCell.
func (c Cell) Valid() bool {
	if c>>topShift != topOfCell {
		return false
	}
	base := uint(c>>baseCellShift) & 0x7f
	if base >= baseCells {
		return false
	}
	digits := uint64(c) & digitsMask
	unused := uint64(1)<<(digitBits*(MaxResolution-c.Resolution())) - 1
	sevens := digits & (digits >> 1) & (digits >> 2) & digitLowBits
	if sevens != unused&digitLowBits {
		return false
	}
	if pentagons[base/64]&(1<<(base%64)) == 0 {
		return true
	}
	// A pentagon has no child in direction 1, so no descendant's first digit that is not 0 is a 1: its highest set bit is
	// never the lowest of a digit. An index without digits but zeros has no such bit: 64 zeros, and 64 % 3 is not 2.
	return bits.LeadingZeros64(digits<<(64-baseCellShift))%digitBits != 2
}

// Resolution returns the four bits of c that hold its resolution, 0 to 15, whether or not c is valid.
func (c Cell) Resolution() int { return int(c>>resolutionShift) & 0xf }

func (c Cell) validAt(resolution int) bool { return c.Resolution() == resolution && c.Valid() }

// String returns c as keys spell it: lower-case hex without leading zeros. A valid cell has fifteen digits.
func (c Cell) String() string { return strconv.FormatUint(uint64(c), 16) }

// ParseCell reads a cell in hex, in either case and with or without 0x. Any other text, and an index that is not a valid
// cell, is a *CellError.
func ParseCell(s string) (Cell, error) {
	digits := s
	if rest, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
		digits = rest
	}
	// ParseUint takes no sign and, with a base given, no underscores.
	n, err := strconv.ParseUint(digits, 16, 64)
	if err != nil || len(digits) > 16 {
		return 0, &CellError{Text: s, Reason: "not hex of at most 16 digits"}
	}
	if c := Cell(n); c.Valid() {
		return c, nil
	}
	return 0, &CellError{Text: s, Reason: "not a valid H3 cell"}
}

// CellError reports text that is no cell.
type CellError struct {
	Text   string // what was read
	Reason string
}

func (e *CellError) Error() string {
	text := e.Text
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return "routecache: cell " + strconv.Quote(text) + ": " + e.Reason
}
