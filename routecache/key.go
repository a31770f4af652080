package routecache

import (
	"encoding/binary"
	"slices"
	"strconv"
)

// hexDigits is the length of every valid cell in hex: the top byte of an index is 0x08.
const hexDigits = 15

// KeyEncoder appends the keys of one anchor at one resolution, which are all of one length:
//
//	{routing:v1:17}89283082a53ffff:892830828efffff:9
//
// It is not modified once made, and safe for concurrent use. Fixed format: changing it empties every user's cache.
type KeyEncoder struct {
	frame  []byte // a RESP bulk string with a key whose cells are zeros
	start  int    // where the key begins in frame
	origin int    // where the origin's digits begin in frame; the destination's are behind them and a colon
}

// NewKeyEncoder returns the encoder for tag n at the resolution.
func NewKeyEncoder(t Template, n, resolution int) KeyEncoder {
	tag := t.AppendTag(nil, n)
	tail := strconv.AppendInt([]byte{':'}, int64(resolution), 10)
	length := len(tag) + hexDigits + 1 + hexDigits + len(tail)

	var e KeyEncoder
	e.frame = strconv.AppendInt([]byte{'$'}, int64(length), 10)
	e.frame = append(e.frame, "\r\n"...)
	e.start = len(e.frame)
	e.frame = append(e.frame, tag...)
	e.origin = len(e.frame)
	e.frame = append(e.frame, "000000000000000:000000000000000"...)
	e.frame = append(e.frame, tail...)
	e.frame = append(e.frame, "\r\n"...)
	return e
}

// Len returns the length of each key in bytes.
func (e *KeyEncoder) Len() int { return len(e.frame) - len("\r\n") - e.start }

// AppendBulk appends the pair's key as a RESP bulk string to dst and returns it. Both cells are valid and of the
// encoder's resolution.
func (e *KeyEncoder) AppendBulk(dst []byte, p Pair) []byte {
	n := len(dst)
	dst = append(dst, e.frame...)
	putCells(dst[n+e.origin:], p)
	return dst
}

// AppendKey appends the pair's key, as it is stored, to dst and returns it.
func (e *KeyEncoder) AppendKey(dst []byte, p Pair) []byte {
	n := len(dst)
	dst = append(slices.Grow(dst, e.Len()), e.frame[e.start:len(e.frame)-len("\r\n")]...)
	putCells(dst[n+e.origin-e.start:], p)
	return dst
}

// putCells writes the two cells over 15 zeros, a colon and 15 zeros: of each the digits 0 to 7 and then 7 to 14, eight at
// a time.
func putCells(b []byte, p Pair) {
	b = b[:2*hexDigits+1]
	binary.BigEndian.PutUint64(b, hex8(uint32(p.Origin>>28)))
	binary.BigEndian.PutUint64(b[hexDigits-8:], hex8(uint32(p.Origin)))
	binary.BigEndian.PutUint64(b[hexDigits+1:], hex8(uint32(p.Dest>>28)))
	binary.BigEndian.PutUint64(b[2*hexDigits-7:], hex8(uint32(p.Dest)))
}

// hex8 returns the eight lower-case hex digits of v as bytes, the first in the top byte.
func hex8(v uint32) uint64 {
	const (
		ones  = 0x0101010101010101
		alpha = 'a' - '9' - 1 // what a digit above nine is further on
	)
	// One nibble to a byte.
	x := uint64(v)
	x = (x<<16 | x) & 0x0000ffff0000ffff
	x = (x<<8 | x) & 0x00ff00ff00ff00ff
	x = (x<<4 | x) & 0x0f0f0f0f0f0f0f0f
	above9 := (x + 6*ones) >> 4 & ones
	return x + '0'*ones + above9*alpha
}
