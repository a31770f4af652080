package crc16

import "bytes"

// SlotCount is the number of slots of a Redis Cluster (CLUSTER_SLOTS in the server's cluster.h).
const SlotCount = 16384

// Slot returns the slot of key, in [0, SlotCount): the checksum of [HashTag](key) modulo SlotCount. The key must be the
// one that is sent, prefix included: a brace in a prefix opens the tag.
func Slot[T ~[]byte | ~string](key T) uint16 {
	s := view(key)
	crc, ok := leadingTag(s)
	if !ok {
		crc = update(0, HashTag(s))
	}
	return crc % SlotCount
}

// HashTag returns the part of key that is hashed, as a view of key: what stands between the first '{' and the first '}'
// after it, or the whole key when there is no such pair or nothing between the two (keyHashSlot in the server's
// cluster.c). Later braces have no meaning: the tag of "foo{{bar}}zap" is "{bar", that of "foo{}{bar}" the whole key.
func HashTag[T ~[]byte | ~string](key T) T {
	s := view(key)
	open := bytes.IndexByte(s, '{')
	if open < 0 {
		return key
	}
	n := bytes.IndexByte(s[open+1:], '}')
	if n <= 0 {
		return key
	}
	return key[open+1 : open+1+n]
}
