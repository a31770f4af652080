package crc16

import (
	"encoding/binary"
	"math/bits"
)

// leadingTag returns the checksum of the tag in front of s, when there is one of 1 to 15 bytes; else ok is false.
//
// A tag is short and almost always has some bytes of key behind it. So two words are loaded, searched for the closing
// brace, and taken in at once, without a search of its own and without a loop over the odd bytes.
func leadingTag(s []byte) (crc uint16, ok bool) {
	if len(s) <= 16 || s[0] != '{' {
		return 0, false
	}
	hi, lo := binary.LittleEndian.Uint64(s[1:]), binary.LittleEndian.Uint64(s[9:])
	if brace := zeroBytes(hi ^ braces); brace != 0 {
		n := uint(bits.TrailingZeros64(brace)) &^ 7
		return remainder(bits.ReverseBytes64(hi) >> 8 >> ((56 - n) & 63)), n > 0
	}
	brace := zeroBytes(lo ^ braces)
	if brace == 0 {
		return 0, false
	}
	// Zero bytes in front of a message do not change its checksum: move the tag to the end of the words.
	n := uint(bits.TrailingZeros64(brace)) &^ 7
	hi, lo = bits.ReverseBytes64(hi), bits.ReverseBytes64(lo)
	return remainder(fold(hi>>8>>((56-n)&63)) ^ hi<<(n&63) ^ lo>>8>>((56-n)&63)), true
}

const braces = 0x7d7d7d7d7d7d7d7d // '}' eight times

// zeroBytes sets the top bit of each byte of w that is zero. A carry can spoil the bytes above the lowest zero byte, so
// only that one may be relied upon.
func zeroBytes(w uint64) uint64 {
	return (w - 0x0101010101010101) &^ w & 0x8080808080808080
}
