package crc16

import (
	"encoding/binary"
	"math/bits"
)

// checksumUntilBrace returns the checksum of what stands before the first '}' of s; ok is false when there is no '}' or
// nothing before it.
//
// A tag is short and almost always has some bytes of key behind it. So two words are loaded, searched for the brace, and
// taken in at once, without a search of its own and without a loop over the odd bytes.
func checksumUntilBrace(s []byte) (crc uint16, ok bool) {
	if len(s) >= 16 {
		hi, lo := binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[8:])
		if brace := zeroBytes(hi ^ braces); brace != 0 {
			n := bits.TrailingZeros64(brace) / 8
			return step8(0, bits.ReverseBytes64(hi)>>(64-8*n)), n > 0
		}
		if brace := zeroBytes(lo ^ braces); brace != 0 {
			// Zero bytes in front of a message do not change its checksum: move the tag to the end of the words.
			gap := 64 - uint(bits.TrailingZeros64(brace)&^7)
			hi, lo = bits.ReverseBytes64(hi), bits.ReverseBytes64(lo)
			return step16(0, hi>>gap, hi<<(64-gap)|lo>>gap), true
		}
	}
	return checksumUntilFarBrace(s)
}

// checksumUntilFarBrace is checksumUntilBrace where the brace is far, or the end of the key near.
func checksumUntilFarBrace(s []byte) (crc uint16, ok bool) {
	rest := s
	for len(rest) >= 8 {
		w := binary.LittleEndian.Uint64(rest)
		brace := zeroBytes(w ^ braces)
		w = bits.ReverseBytes64(w)
		if brace == 0 {
			crc = step8(crc, w)
			rest = rest[8:]
			continue
		}
		n := bits.TrailingZeros64(brace) / 8
		if n == 0 {
			return crc, len(rest) < len(s)
		}
		return stepPart(crc, w, n), true
	}
	for i, b := range rest {
		if b == '}' {
			return crc, i > 0 || len(rest) < len(s)
		}
		crc = crc<<8 ^ tables[0][b^byte(crc>>8)]
	}
	return 0, false
}

const braces = 0x7d7d7d7d7d7d7d7d // '}' eight times

// zeroBytes sets the top bit of each byte of w that is zero. A carry can spoil the bytes above the lowest zero byte, so
// only that one may be relied upon.
func zeroBytes(w uint64) uint64 {
	return (w - 0x0101010101010101) &^ w & 0x8080808080808080
}
