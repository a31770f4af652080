package alloctest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/slotcast/slotcast/internal/alloctest"
	"github.com/slotcast/slotcast/internal/race"
)

var sink *int

func allocate(n int) func() {
	return func() {
		for range n {
			sink = new(int)
		}
	}
}

func TestAllocRun(t *testing.T) {
	alloctest.Run(t, []alloctest.Budget{
		{Name: "none", Want: 0, Func: allocate(0)},
		{Name: "three", Want: 3, Func: allocate(3)},
	})
	assert.False(t, race.Enabled, "Run skips under the race detector and does not come here")
}

func TestAllocCheck(t *testing.T) {
	if race.Enabled {
		t.Skip("allocations are not counted under the race detector")
	}
	for _, tt := range []struct {
		name string
		want int
		err  string
	}{
		{"as budgeted", 2, ""},
		{"one too many", 1, "2 allocations, budget 1"},
		{"one too few", 3, "2 allocations, budget 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := alloctest.Budget{Name: tt.name, Want: tt.want, Func: allocate(2)}.Check()
			if tt.err == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, tt.err)
			}
		})
	}
}

func TestAllocCheckWarmsUp(t *testing.T) {
	if race.Enabled {
		t.Skip("allocations are not counted under the race detector")
	}
	calls := 0
	b := alloctest.Budget{Runs: 7, Func: func() {
		if calls++; calls == 1 {
			allocate(100)()
		}
	}}
	assert.NoError(t, b.Check(), "the first call does not count")
	assert.Equal(t, 1+7, calls)
}
