package fuzz_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/slotcast/slotcast/routecache"
)

var hexadecimal = regexp.MustCompile(`^(0[xX])?([0-9a-fA-F]{1,16})$`)

// FuzzParseCell reads any text as a cell.
//
//   - Hex of up to 16 digits, in either case and with or without 0x, is taken if it is a valid index, and nothing else.
//   - A cell has one spelling, of 15 lower-case digits, which is read as the same cell.
func FuzzParseCell(f *testing.F) {
	for _, s := range []string{
		"89283082a53ffff", "89283082A53FFFF", "0x89283082a53ffff", "0X89283082a53FFFF", "089283082a53ffff", "", "0x", "zz",
		"0x0x89283082a53ffff", "+89283082a53ffff", "8928_3082a53ffff", " 89283082a53ffff", "89283082a53ffff\n", "0089283082a53ffff",
		"ffffffffffffffff0", "ffffffffffffffff", "89283082a53fff0", "89283082a53fff", "617700169958293503", "0", "8029fffffffffff",
		"8f2830828052d25", "80f3fffffffffff", "8009fffffffffff", "8f0800000000000", "81083ffffffffff", "81087ffffffffff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := routecache.ParseCell(s)
		var want routecache.Cell
		if parts := hexadecimal.FindStringSubmatch(s); parts != nil {
			n, _ := strconv.ParseUint(parts[2], 16, 64)
			want = routecache.Cell(n)
		}
		if !naiveValid(uint64(want)) {
			want = 0
		}
		if got != want || (err == nil) != (want != 0) {
			t.Fatalf("%q: %v, %v, want %v", s, got, err, want)
		}
		if err != nil {
			return
		}
		spelt := got.String()
		if len(spelt) != 15 || spelt != strings.ToLower(spelt) {
			t.Fatalf("%q is spelt %q", s, spelt)
		}
		if again, err := routecache.ParseCell(spelt); err != nil || again != got {
			t.Fatalf("%q: %v, %v", spelt, again, err)
		}
	})
}

// FuzzCell looks at any index: Valid follows the rules of H3, and String and Resolution are what the bits say. A valid
// cell can be parsed from its spelling, an invalid one cannot.
func FuzzCell(f *testing.F) {
	for _, c := range []uint64{
		0x89283082a53ffff, 0x8029fffffffffff, 0x8f2830828052d25, 0x80f3fffffffffff, 0x8009fffffffffff, 0x8f0800000000000,
		0x81083ffffffffff, 0x81087ffffffffff, 0x8108bffffffffff, 0x81287ffffffffff, 0, 0xffffffffffffffff, 0x89283082a7fffff,
		0x89283082a53fffe, 0x80f5fffffffffff, 0x889283082a53ffff, 0x1159283082a53fff, 0x089283082a53fff, 0x9892830828a53ff,
	} {
		f.Add(c, false)
		f.Add(c, true)
	}
	f.Fuzz(func(t *testing.T, n uint64, mend bool) {
		if mend {
			n = uint64(cellOf(n, int(n>>52&15)))
		}
		c := routecache.Cell(n)
		valid := naiveValid(n)
		if mend && !valid {
			t.Fatalf("%x was made to be valid", n)
		}
		if c.Valid() != valid || c.Resolution() != int(n>>52&15) || c.String() != fmt.Sprintf("%x", n) {
			t.Fatalf("%x: valid %v, resolution %d, spelt %q; want valid %v", n, c.Valid(), c.Resolution(), c, valid)
		}
		if got, err := routecache.ParseCell(c.String()); (err == nil) != valid || valid && got != c {
			t.Fatalf("%x: %v, %v", n, got, err)
		}
	})
}

// naiveValid follows https://h3geo.org/docs/core-library/h3Indexing digit by digit.
func naiveValid(n uint64) bool {
	if n>>56 != 0x08 {
		return false // reserved bit, mode 1, reserved bits
	}
	base := int(n >> 45 & 127)
	if base > 121 {
		return false
	}
	first := 0 // digit that is not 0
	for r := 1; r <= 15; r++ {
		digit := digitOf(n, r)
		if r > int(n>>52&15) != (digit == 7) {
			return false
		}
		if first == 0 && digit != 7 {
			first = digit
		}
	}
	return !(first == 1 && isPentagon(base)) // the child that pentagons lack
}

func digitOf(n uint64, resolution int) int { return int(n >> (3 * (15 - resolution)) & 7) }

func isPentagon(base int) bool {
	return slices.Contains([]int{4, 14, 24, 38, 49, 58, 63, 72, 83, 97, 107, 117}, base)
}

// cellOf makes a valid cell of the resolution out of the bits of n.
func cellOf(n uint64, resolution int) routecache.Cell {
	base := (n >> 45 & 127) % 122
	c := 0x08<<56 | uint64(resolution)<<52 | base<<45
	begun := false
	for r := 1; r <= 15; r++ {
		digit := uint64(7)
		if r <= resolution {
			digit = uint64(digitOf(n, r)) % 7
			if !begun && digit == 1 && isPentagon(int(base)) {
				digit = 2
			}
			begun = begun || digit > 0
		}
		c |= digit << (3 * (15 - r))
	}
	return routecache.Cell(c)
}
