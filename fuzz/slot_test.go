package fuzz_test

import (
	"regexp"
	"testing"

	"github.com/slotcast/slotcast/crc16"
)

// FuzzSlot hashes any key.
//
//   - Checksum is what one bit after the other gives, and Update continues one that was cut anywhere.
//   - HashTag is what stands between the first '{' and the first '}' behind it, if anything, else the key.
//   - Slot is the checksum of that, modulo the number of slots.
//   - Strings and byte slices give the same, and no key is modified.
func FuzzSlot(f *testing.F) {
	for i, key := range []string{
		"123456789", "", "a", "\x00", "key\r\n", "{user1000}.following", "{ }", "foo{}{bar}", "{}{a}", "{}abc", "{abc", "foo{bar",
		"a}b{c", "}{", "}{abc", "}a{b}", "foo{bar}", "a{b}c", "foo{bar}{zap}", "foo{{bar}}zap", "a{'1':{'i32':1}}",
		"\x81\x7b\x41\x81\x7d", "{é}", "app{x{y}", "{routing:v1:17}89283082a53ffff:892830828efffff:9", "{1234567}", "{12345678}x",
		"||||||||}", "{~~~~~~~|}",
	} {
		f.Add([]byte(key), uint16(i))
	}
	for n := range 20 {
		f.Add([]byte("{"+"0123456789abcdefghij"[:n]+"}12345678"), uint16(n))
	}
	f.Fuzz(func(t *testing.T, key []byte, cut uint16) {
		s := string(key)
		crc := naiveChecksum(key)
		if a, b := crc16.Checksum(key), crc16.Checksum(s); a != crc || b != crc {
			t.Fatalf("%q: checksums %#x and %#x, want %#x", key, a, b, crc)
		}
		at := int(cut) % (len(key) + 1)
		if got := crc16.Update(crc16.Update(0, key[:at]), s[at:]); got != crc {
			t.Fatalf("%q in two pieces: %#x, want %#x", key, got, crc)
		}
		tag := naiveTag(s)
		if a, b := crc16.HashTag(key), crc16.HashTag(s); string(a) != tag || b != tag {
			t.Fatalf("%q: tags %q and %q, want %q", key, a, b, tag)
		}
		slot := naiveChecksum([]byte(tag)) % 16384
		if a, b := crc16.Slot(key), crc16.Slot(s); a != slot || b != slot {
			t.Fatalf("%q: slots %d and %d, want %d", key, a, b, slot)
		}
		if string(key) != s {
			t.Fatalf("%q was made %q", s, key)
		}
	})
}

// naiveChecksum is CRC-16/XMODEM as it is defined: division by the polynomial, one bit at a time.
func naiveChecksum(data []byte) (crc uint16) {
	for _, b := range data {
		for bit := 7; bit >= 0; bit-- {
			carry := crc>>15 != uint16(b>>bit&1)
			crc <<= 1
			if carry {
				crc ^= 0x1021
			}
		}
	}
	return crc
}

var braces = regexp.MustCompile(`(?s)^[^{]*\{([^}]+)\}`)

func naiveTag(key string) string {
	if m := braces.FindStringSubmatch(key); m != nil {
		return m[1]
	}
	return key
}
