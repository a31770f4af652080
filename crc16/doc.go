// Package crc16 computes the slot of a Redis Cluster key.
//
// [Slot] is what most callers want: CRC-16/XMODEM of the part of the key that is hashed, modulo [SlotCount]. [HashTag]
// says which part that is; [Checksum] and [Update] are the checksum itself.
//
// Every function works on the bytes that go on the wire, whatever they are (NUL and bytes above 0x7F included), accepts
// strings and byte slices alike, allocates nothing, retains nothing, and may be called from any goroutine.
//
// The rules are those of the Redis Cluster specification, "Key distribution model" and "Hash tags":
// https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
package crc16
