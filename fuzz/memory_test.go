package fuzz_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/slotcast/slotcast/resp"
)

// FuzzReaderMemory reads any bytes, as trees and by skipping them. What is allocated is bounded by the limits and the
// bytes that came; what they announce does not count.
func FuzzReaderMemory(f *testing.F) {
	for i, sent := range wire {
		f.Add([]byte(sent), byte(i%3))
		f.Add([]byte(sent), byte(2))
	}
	for _, sent := range []string{"*1048576\r\n:1\r\n", "%524288\r\n:1\r\n", "*100\r\n" + strings.Repeat("*10000\r\n", 100), "$536870912\r\n" + strings.Repeat("x", 9<<10)} {
		f.Add([]byte(sent), byte(2))
	}
	f.Fuzz(func(t *testing.T, sent []byte, limits byte) {
		l := readerLimits[int(limits)%len(readerLimits)]
		ways := []struct {
			name string
			read func(r *resp.Reader) error
			most uint64
		}{
			{"Value", func(r *resp.Reader) error { _, err := r.Value(); return err }, valueBound(l, len(sent))},
			{"Skip", (*resp.Reader).Skip, skipBound(l)},
		}
		for _, w := range ways {
			src := bytes.NewReader(sent)
			if got := allocated(func() {
				r := resp.NewReader(src, l)
				for w.read(r) == nil {
				}
			}); got > w.most {
				t.Fatalf("%s allocates %d bytes for %d, bound %d", w.name, got, len(sent), w.most)
			}
		}
	})
}

const (
	value    = uint64(unsafe.Sizeof(resp.Value{}))
	buffer   = 64 << 10 // the reader's own
	startCap = 64       // elements that an aggregate gets room for when it is opened
	fixed    = 64 << 10 // the reader itself, an error, and the accuracy of the measure
)

// valueBound is what reading trees from n bytes may allocate.
//
// A slice that grows by doubling has allocated less than four times what it holds. An element takes three bytes on the wire
// at least; its text is copied once, in blocks of eight bytes at least.
func valueBound(l resp.Limits, n int) uint64 {
	open := uint64(depthOf(l)) * (startCap + 4) * value
	return fixed + buffer + 4*uint64(n) + open + uint64(n)/3*(4*value+8) + uint64(n)
}

// skipBound is what skipping may allocate, however much is skipped: the buffer, grown to a line, and the open aggregates.
func skipBound(l resp.Limits) uint64 {
	line := l.Line
	if line == 0 {
		line = 64 << 10
	}
	return fixed + 3*buffer + 4*uint64(line) + 64*uint64(depthOf(l))
}

func depthOf(l resp.Limits) int {
	if l.Depth == 0 {
		return 128
	}
	return l.Depth
}

// allocated returns the bytes that do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
