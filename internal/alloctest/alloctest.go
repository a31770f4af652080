// Package alloctest holds code to an exact number of allocations, from a table:
//
//	func TestAllocations(t *testing.T) {
//		alloctest.Run(t, []alloctest.Budget{
//			{Name: "Slot", Want: 0, Func: func() { slot = crc16.Slot(key) }},
//		})
//	}
//
// The name of a test that uses it contains "Alloc": these tests are skipped under the race detector, and make test runs them
// once more without it by that name.
package alloctest

import (
	"fmt"
	"testing"

	"github.com/slotcast/slotcast/internal/race"
)

// Budget is the number of allocations of one function.
type Budget struct {
	// Name is that of the subtest.
	Name string
	// Want is how many allocations one call of Func makes, in the steady state. Fewer are a failure too: the budget has
	// to be lowered then.
	Want int
	// Func is called once to warm up, then Runs times. What other goroutines allocate meanwhile counts.
	Func func()
	// Runs is the number of measured calls, whose average is rounded down; default 100.
	Runs int
}

// Run checks each budget in a subtest. Under the race detector, which allocates on its own account, t is skipped. It must
// not be called from a parallel test.
func Run(t *testing.T, budgets []Budget) {
	t.Helper()
	if race.Enabled {
		t.Skip("allocations are not counted under the race detector; run without -race")
	}
	for _, b := range budgets {
		t.Run(b.Name, func(t *testing.T) {
			if err := b.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Check measures and returns an error unless the number is as budgeted.
func (b Budget) Check() error {
	runs := b.Runs
	if runs == 0 {
		runs = 100
	}
	if got := testing.AllocsPerRun(runs, b.Func); got != float64(b.Want) {
		return fmt.Errorf("%s: %v allocations, budget %d", b.Name, got, b.Want)
	}
	return nil
}
