package otelslotcast_test

import (
	"errors"
	"testing"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/internal/alloctest"
)

// What does not fail costs no allocation, with the reader of the SDK that counts all there is.
func TestAllocations(t *testing.T) {
	m, _ := newMeters(t)
	trace := m.Batches()
	node := batch.NodeInfo{Addr: "10.0.0.1:7000", Commands: 1, Keys: 1000, BytesOut: 54_000, BytesIn: 16_000,
		Wait: time.Microsecond, FirstByte: 300 * time.Microsecond, Total: 400 * time.Microsecond}
	read := batch.BatchInfo{Items: 3000, Redirects: 1, Total: time.Millisecond}
	store := batch.BatchInfo{Write: true, Items: 3000, Failed: 3}
	alloctest.Run(t, []alloctest.Budget{
		{Name: "batch", Want: 0, Func: func() { trace.BatchDone(read) }},
		{Name: "batch that stores", Want: 0, Func: func() { trace.BatchDone(store) }},
		{Name: "node", Want: 0, Func: func() { trace.NodeDone(node) }},
	})
}

func BenchmarkTrace(b *testing.B) {
	m, _ := newMeters(b)
	trace := m.Batches()
	node := batch.NodeInfo{Addr: "10.0.0.1:7000", Commands: 1, Keys: 1000, BytesOut: 54_000, BytesIn: 16_000, FirstByte: 1}
	failed := node
	failed.Err = errors.New("gone")
	b.Run("of=batch", func(b *testing.B) {
		for b.Loop() {
			trace.BatchDone(batch.BatchInfo{Items: 3000})
		}
	})
	b.Run("of=node", func(b *testing.B) {
		for b.Loop() {
			trace.NodeDone(node)
		}
	})
	b.Run("of=failed", func(b *testing.B) {
		for b.Loop() {
			trace.NodeDone(failed)
		}
	})
}
