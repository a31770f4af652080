package crc16_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/race"
)

func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates on its own account")
	}
	var sum uint16
	var n int
	bytesKey, stringKey := []byte(taggedKey), taggedKey
	for _, tt := range []struct {
		name string
		want float64
		run  func()
	}{
		{"Checksum string", 0, func() { sum = crc16.Checksum(stringKey) }},
		{"Checksum bytes", 0, func() { sum = crc16.Checksum(bytesKey) }},
		{"Update string", 0, func() { sum = crc16.Update(sum, stringKey) }},
		{"Update bytes", 0, func() { sum = crc16.Update(sum, bytesKey) }},
		{"HashTag string", 0, func() { n += len(crc16.HashTag(stringKey)) }},
		{"HashTag bytes", 0, func() { n += len(crc16.HashTag(bytesKey)) }},
		{"Slot string", 0, func() { sum = crc16.Slot(stringKey) }},
		{"Slot bytes", 0, func() { sum = crc16.Slot(bytesKey) }},
	} {
		assert.Equal(t, tt.want, testing.AllocsPerRun(100, tt.run), tt.name)
	}
}
