package topology

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestLedger(t *testing.T) {
	start := time.Now()
	after := func(d time.Duration) time.Time { return start.Add(d) }
	a, b, c := Move{Slot: 9, Addr: "a"}, Move{Slot: 3, Addr: "b"}, Move{Slot: 9, Addr: "c"}
	var l ledger
	assert.Empty(t, l.against(start))
	l.record([]Move{a}, after(0))
	l.record([]Move{b}, after(settling))

	t.Run("C16 asked for before both", func(t *testing.T) { assert.Equal(t, []Move{a, b}, l.against(after(-time.Hour))) })
	t.Run("C16 soon after the first", func(t *testing.T) { assert.Equal(t, []Move{a, b}, l.against(after(settling-1))) })
	t.Run("C16 long after the first", func(t *testing.T) { assert.Equal(t, []Move{b}, l.against(after(settling))) })
	t.Run("which is forgotten", func(t *testing.T) {
		assert.Len(t, l.moves, 1)
		assert.Equal(t, []Move{b}, l.against(after(-time.Hour)))
	})
	t.Run("the last move of a slot counts", func(t *testing.T) {
		l.record([]Move{a}, after(2*settling))
		l.record([]Move{c}, after(2*settling))
		assert.Equal(t, []Move{b, c}, l.against(after(2*settling-1)))
	})
	t.Run("long after all", func(t *testing.T) {
		assert.Empty(t, l.against(after(time.Hour)))
		assert.Empty(t, l.moves)
	})
}
