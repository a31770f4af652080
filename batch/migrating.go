package batch

import (
	"sync/atomic"
	"time"

	"github.com/slotcast/slotcast/crc16"
)

// migratingFor is how long a slot is remembered as migrating after a node last said so. A forgotten slot costs the next
// batch one more round trip, a remembered one more work on the server: a key by key migration takes minutes.
const migratingFor = 5 * time.Second

// migrating remembers the slots that are being migrated, so that their keys are asked for one by one from the start:
// while a slot migrates the classic way, a command with two keys of which one is absent is refused by both ends.
type migrating struct {
	until atomic.Pointer[[crc16.SlotCount]atomic.Int64] // nanoseconds since the epoch; nil until first needed
}

func (m *migrating) remember(slot uint16) {
	table := m.until.Load()
	if table == nil {
		m.until.CompareAndSwap(nil, new([crc16.SlotCount]atomic.Int64))
		table = m.until.Load()
	}
	table[slot].Store(time.Now().Add(migratingFor).UnixNano())
}

func (m *migrating) includes(slot uint16) bool {
	table := m.until.Load()
	if table == nil {
		return false
	}
	until := table[slot].Load()
	return until != 0 && time.Now().UnixNano() < until
}
