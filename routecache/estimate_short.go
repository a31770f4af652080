package routecache

import (
	"encoding/binary"
	"math/bits"
)

// The short path of ParseEstimate takes each number out of one 64-bit word, whose lowest byte is the first character. It
// says no to whatever is not two plain numbers of up to seven and eight characters; then parseAny has the last word.
//
// It has no loop whose length depends on the value. Estimates vary in length, so that a loop over the characters is
// mispredicted once or twice per value: over 4,096 different ones the short path took 38 ns where the loop took 83, on a
// busy machine.

const (
	lanes  = 0x0101010101010101
	zeros  = '0' * lanes
	high   = 0xf0 * lanes
	within = (16 - 10) * lanes
)

// parseShort reads the value b if both its numbers are short.
func parseShort(b []byte) (e Estimate, ok bool) {
	if len(b) < 8 {
		return Estimate{}, false
	}
	w := binary.LittleEndian.Uint64(b)
	seconds, n := shortDecimal(w)
	rest := len(b) - n - 1
	if n == 0 || n == 8 || b[n] != ',' || rest > 8 || rest < 1 {
		return Estimate{}, false
	}
	// The rest is at the end of the last 8 bytes. Zeros follow it in the word, which are no digits.
	w = binary.LittleEndian.Uint64(b[len(b)-8:]) >> (8 * uint(8-rest) & 63)
	metres, n := shortDecimal(w)
	return Estimate{Seconds: seconds, Metres: metres}, n == rest
}

// shortDecimal reads the number at the start of w, up to the first character that cannot belong to it or the end of the
// word, and returns its length; 0 if it is none, or one that parseAny must look at. Counts are in bits, and shifts are
// masked, since a shift by an unknown count costs three instructions more.
func shortDecimal(w uint64) (v float64, n int) {
	x := w ^ zeros // digits become 0 to 9
	// The high half of a byte is not zero where there is no digit. Behind such a byte the sum may have a carry, so
	// nothing is concluded from it before that byte is known to be a point.
	other := (x | (x + within)) & high
	end := uint(bits.TrailingZeros64(other)) &^ 7 // 64 if there is none
	whole, places := end, uint(0)
	if end < 64 && byte(w>>(end&63)) == '.' {
		end = uint(bits.TrailingZeros64(other&^(0xff<<(end&63)))) &^ 7
		places = end - whole - 8
		if places == 0 {
			return 0, 0
		}
		// Close the gap: the characters behind the point move down by one.
		below := uint64(1)<<(whole&63) - 1
		x = x&below | x>>8&^below
	}
	if whole == 0 || whole > 8 && x&0xff == 0 {
		return 0, 0
	}
	// The first digit is the most significant: move the last one up to the top byte, with zeros coming in below.
	x <<= (64 - whole - places) & 63
	x = x*10 + x>>8 // each second byte now has two digits
	const pairs = 0x000000ff000000ff
	x = (x&pairs*(100+1_000_000<<32) + x>>16&pairs*(1+10_000<<32)) >> 32
	return float64(uint32(x)) / pow10[places/8], int(end / 8)
}

// tenths returns the characters of v, the first in the low byte, and how many they are, if v is a whole number of tenths
// below a million, as nearly every estimate is; else none. Like shortDecimal it has no loop and works on one word.
func tenths(v float64) (chars uint64, n int) {
	if !(v < 1e6) {
		return 0, 0
	}
	k := uint32(int64(v*10 + 0.5))
	if float64(k)/10 != v { // see appendDecimal
		return 0, 0
	}
	whole, thousands := k/10, k/10_000
	high, low := uint32(0), whole-thousands*1000
	if thousands > 0 {
		high, low = triples[thousands], low+1000
	}
	low = triples[low]
	chars = uint64(high & 0xffffff)
	n = int(high >> 24)
	chars |= uint64(low&0xffffff) << (8 * n & 63)
	n += int(low >> 24)
	tenth := k - whole*10
	chars |= ('.' | uint64('0'+tenth)<<8) << (8 * n & 63)
	if tenth > 0 {
		n += 2
	}
	return chars, n
}

// triples has the digits of the numbers below 1000, the first in the low byte, and in the top byte how many they are; and the
// same once more from 1000 on, with the zeros in front that they have behind other digits. With it, and so without a chain
// of divisions, a value takes half the time.
var triples = func() (table [2000]uint32) {
	for v := range uint32(1000) {
		digits := '0' + v/100 | ('0'+v/10%10)<<8 | ('0'+v%10)<<16
		table[1000+v] = digits | 3<<24
		switch {
		case v >= 100:
			table[v] = digits | 3<<24
		case v >= 10:
			table[v] = digits>>8 | 2<<24
		default:
			table[v] = digits>>16 | 1<<24
		}
	}
	return table
}()
