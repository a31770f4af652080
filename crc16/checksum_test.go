package crc16_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/crc16"
)

// bitwise is the definition of CRC-16/XMODEM, one bit at a time and without a table.
func bitwise(crc uint16, data []byte) uint16 {
	for _, b := range data {
		for bit := 7; bit >= 0; bit-- {
			carry := crc>>15 ^ uint16(b>>bit&1)
			crc <<= 1
			if carry == 1 {
				crc ^= 0x1021
			}
		}
	}
	return crc
}

func TestChecksumCheckValue(t *testing.T) {
	require.Equal(t, uint16(0x31C3), crc16.Checksum("123456789"))
	require.Equal(t, uint16(0x31C3), bitwise(0, []byte("123456789")), "the reference of these tests")
}

// Every length around the strides of the main loop, with bytes of every value.
func TestChecksumAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for length := range 300 {
		for range 8 {
			data := make([]byte, length)
			for i := range data {
				data[i] = byte(rng.Uint32())
			}
			start := uint16(rng.Uint32())
			want := bitwise(start, data)
			require.Equal(t, want, crc16.Update(start, data), "start %#x, data %x", start, data)
			require.Equal(t, want, crc16.Update(start, string(data)), "start %#x, data %x", start, data)
		}
	}
}

func TestUpdateContinues(t *testing.T) {
	data := "{routing:v1:17}89283082a53ffff:892830828efffff:9"
	for cut := range len(data) + 1 {
		assert.Equal(t, crc16.Checksum(data), crc16.Update(crc16.Checksum(data[:cut]), data[cut:]), "cut at %d", cut)
	}
}
