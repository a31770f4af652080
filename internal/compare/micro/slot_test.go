package micro

import (
	"testing"

	"github.com/slotcast/slotcast/crc16"
)

var slotKeys = []struct {
	name, key string
	slot      uint16 // by CLUSTER KEYSLOT
}{
	{"tagged", "{routing:v1:17}89283082a53ffff:892830828efffff:9", 6475},
	{"untagged", "routing:v1:17:x89283082a53ffff:892830828efffff:9", 1807},
}

// BenchmarkSlot is the slot of a key of 48 bytes.
func BenchmarkSlot(b *testing.B) {
	for _, k := range slotKeys {
		for _, by := range []struct {
			name string
			slot func(key string) uint16
		}{
			{"slotcast", crc16.Slot[string]},
			{"go-redis", func(key string) uint16 { return uint16(goRedisSlot(key)) }},
			{"rueidis", rueidisSlot},
		} {
			b.Run("key="+k.name+"/by="+by.name, func(b *testing.B) {
				b.SetBytes(int64(len(k.key)))
				b.ReportAllocs()
				for b.Loop() {
					if by.slot(k.key) != k.slot {
						b.Fatal("wrong slot")
					}
				}
			})
		}
	}
}
