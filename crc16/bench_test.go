package crc16_test

import (
	"strings"
	"testing"

	"github.com/slotcast/slotcast/crc16"
)

// The keys of the route cache, and the same length without a tag.
const (
	taggedKey   = "{routing:v1:17}89283082a53ffff:892830828efffff:9"
	untaggedKey = "routing:v1:17:x89283082a53ffff:892830828efffff:9"
)

var keys = []struct {
	name string
	key  string
	slot uint16
}{
	{"tagged", taggedKey, bitwise(0, []byte("routing:v1:17")) % crc16.SlotCount},
	{"untagged", untaggedKey, bitwise(0, []byte(untaggedKey)) % crc16.SlotCount},
}

func BenchmarkSlot(b *testing.B) {
	for _, k := range keys {
		b.Run("key="+k.name, func(b *testing.B) {
			key := []byte(k.key)
			b.SetBytes(int64(len(key)))
			b.ReportAllocs()
			for b.Loop() {
				if crc16.Slot(key) != k.slot {
					b.Fatal("wrong slot")
				}
			}
		})
	}
}

// BenchmarkSlotBytewise is the loop over one table of 256 entries that most clients use: the number to beat.
func BenchmarkSlotBytewise(b *testing.B) {
	var table [256]uint16
	for i := range table {
		table[i] = bitwise(0, []byte{byte(i)})
	}
	slot := func(key string) uint16 {
		if s := strings.IndexByte(key, '{'); s > -1 {
			if e := strings.IndexByte(key[s+1:], '}'); e > 0 {
				key = key[s+1 : s+e+1]
			}
		}
		var crc uint16
		for i := range len(key) {
			crc = crc<<8 ^ table[byte(crc>>8)^key[i]]
		}
		return crc % crc16.SlotCount
	}
	for _, k := range keys {
		b.Run("key="+k.name, func(b *testing.B) {
			b.SetBytes(int64(len(k.key)))
			for b.Loop() {
				if slot(k.key) != k.slot {
					b.Fatal("wrong slot")
				}
			}
		})
	}
}
