package crc16_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/crc16"
)

// TestSlot pins slots that were computed elsewhere; most stand in the bug reports of other clients.
func TestSlot(t *testing.T) {
	for _, tt := range []struct {
		name string
		key  string
		tag  string // what is hashed
		slot uint16
	}{
		{"check value of the specification", "123456789", "123456789", 12739},
		{"empty key", "", "", 0},
		{"one byte", "a", "a", 15495},
		{"one NUL byte", "\x00", "\x00", 0},
		{"line end inside", "key\r\n", "key\r\n", 315},
		{"tag at the start", "{user1000}.following", "user1000", 3443},
		{"same tag, other key", "{user1000}.followers", "user1000", 3443},
		{"tag of one space", "{ }", " ", 9314},
		{"B1 empty tag, a later pair does not count", "foo{}{bar}", "foo{}{bar}", 8363},
		{"B1 empty tag at the start", "{}{a}", "{}{a}", 13650},
		{"B1 empty tag, text behind", "{}abc", "{}abc", 5980},
		{"B2 open brace alone, at the start", "{abc", "{abc", 444},
		{"B2 open brace alone, inside", "foo{bar", "foo{bar", 15278},
		{"B3 closing brace first", "a}b{c", "a}b{c", 13587},
		{"B3 closing brace first, nothing else", "}{", "}{", 12793},
		{"B3 closing brace first, text behind", "}{abc", "}{abc", 15680},
		{"B3 closing brace first, then a pair", "}a{b}", "b", 3300},
		{"B4 tag at the end", "foo{bar}", "bar", 5061},
		{"B4 tag in the middle", "a{b}c", "b", 3300},
		{"B5 only the first pair counts", "foo{bar}{zap}", "bar", 5061},
		{"B6 nested braces", "foo{{bar}}zap", "{bar", 4015},
		{"B6 nested braces, quoted", "a{'1':{'i32':1}}", "'1':{'i32':1", 5540},
		{"B7 bytes that are no text", "\x81\x7b\x41\x81\x7d", "A\x81", 16212},
		{"B7 multi-byte text", "{é}", "é", 10180},
		{"B8 a brace in a prefix steals the tag", "app{" + "x{y}", "x{y", 2740},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.tag, crc16.HashTag(tt.key))
			assert.Equal(t, []byte(tt.tag), crc16.HashTag([]byte(tt.key)))
			assert.Equal(t, tt.slot, crc16.Slot(tt.key))
			assert.Equal(t, tt.slot, crc16.Slot([]byte(tt.key)))
		})
	}
}

// A view must end where the tag ends: appending to it may not reach the rest of the key unnoticed, but it must be the
// key's own memory, not a copy.
func TestHashTagIsAView(t *testing.T) {
	key := []byte("a{bc}d")
	tag := crc16.HashTag(key)
	require.Equal(t, "bc", string(tag))
	assert.Same(t, &key[2], &tag[0])
}

func TestNilKey(t *testing.T) {
	assert.Equal(t, uint16(0), crc16.Slot[[]byte](nil))
	assert.Empty(t, crc16.HashTag[[]byte](nil))
}

// Braces in every place and tags of every length, against the two steps apart: find the tag, then hash it.
func TestSlotAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	alphabet := []byte("{{}}|~a\x00\xfd") // '|', '~' and 0xFD differ from '}' in one bit or by one
	for range 200_000 {
		key := make([]byte, rng.IntN(40))
		for i := range key {
			key[i] = alphabet[rng.IntN(len(alphabet))]
		}
		if n := rng.IntN(40); n < len(key) {
			copy(key[rng.IntN(n+1):], bytes.Repeat([]byte("a"), n)) // a stretch without braces
		}
		want := bitwise(0, crc16.HashTag(key)) % crc16.SlotCount
		require.Equal(t, want, crc16.Slot(key), "key %q", key)
	}
}

// Tags of every length, in front of keys of every length and behind a prefix.
func TestSlotOfEveryLength(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	letters := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('~' + rng.IntN(0x80))
		}
		return string(b)
	}
	for tag := 1; tag < 40; tag++ {
		for rest := range 40 {
			hashed := letters(tag)
			want := bitwise(0, []byte(hashed)) % crc16.SlotCount
			key := "{" + hashed + "}" + letters(rest)
			require.Equal(t, want, crc16.Slot(key), "key %q", key)
			key = letters(rest) + key
			require.Equal(t, want, crc16.Slot(key), "key %q", key)
		}
	}
}

// Named types are keys too.
func TestNamedTypes(t *testing.T) {
	type text string
	type raw []byte
	assert.Equal(t, uint16(5061), crc16.Slot(text("foo{bar}{zap}")))
	assert.Equal(t, uint16(5061), crc16.Slot(raw("foo{bar}{zap}")))
	assert.Equal(t, raw("bar"), crc16.HashTag(raw("foo{bar}{zap}")))
}
