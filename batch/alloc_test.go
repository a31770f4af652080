package batch_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/alloctest"
	"github.com/slotcast/slotcast/internal/race"
	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/resp"
)

// counted is a batch that counts its answers.
type counted struct {
	keys
	slots []uint16
	done  int
}

func (c *counted) Slot(i int) uint16                    { return c.slots[i] }
func (c *counted) Reply(_ int, value []byte)            { c.done += len(value) }
func (c *counted) AppendValue(dst []byte, _ int) []byte { return resp.AppendBulkString(dst, "v") }
func (c *counted) Stored(int)                           { c.done++ }

// In the steady state a call allocates nothing, or what context.AfterFunc does.
func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("allocations are not counted under the race detector; run without -race")
	}
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	c := open(t, batch.Config{Addrs: cluster.Addrs(), RefreshPeriod: -1})
	tags := oneTagPer(c, 1)
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	var budgets []alloctest.Budget
	for _, test := range []struct {
		n    int
		what string
	}{{1, "item"}, {100, "items"}, {10_000, "items"}, {3000, "items without tags"}} {
		n := test.n
		items := &counted{keys: make(keys, n), slots: make([]uint16, n)}
		for i := range items.keys {
			items.keys[i] = fmt.Sprintf("{%s}%d", tags[i%3][0], i)
			if test.what == "items without tags" {
				items.keys[i] = fmt.Sprint("k", i)
			}
			items.slots[i] = crc16.Slot(items.keys[i])
		}
		budget := func(name string, want int, call func() error) {
			name = fmt.Sprintf("%s: %d %s", name, n, test.what)
			budgets = append(budgets, alloctest.Budget{Name: name, Want: want, Runs: 20, Func: func() {
				items.done = 0
				require.NoError(t, call())
				if items.done != n {
					t.Fatalf("%d items of %d", items.done, n)
				}
			}})
		}
		budget("Set", 0, func() error { return c.Set(context.Background(), items, time.Hour) })
		budget("Get", 0, func() error { return c.Get(context.Background(), items) })
		budget("Set with a context that can end", 2, func() error { return c.Set(cancellable, items, time.Hour) })
		budget("Get with a context that can end", 2, func() error { return c.Get(cancellable, items) })
	}
	for _, b := range budgets {
		t.Run(b.Name, func(t *testing.T) {
			err := b.Check()
			for tries := 1; err != nil && tries < 5; tries++ { // a server short of CPU makes waits time out, and that allocates
				err = b.Check()
			}
			require.NoError(t, err)
		})
	}
}
