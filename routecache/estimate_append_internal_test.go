package routecache

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAppendEstimateBulk(t *testing.T) {
	lengths := map[int]bool{}
	for _, e := range []Estimate{
		{},
		{412.3, 5120.7},
		{1, 123456},   // 8 bytes
		{1, 1234567},  // 9
		{12, 1234567}, // 10
		{1e47, 1e49},  // 99
		{1e48, 1e49},  // 100
		{1e308, 1e-300},
		{math.MaxFloat64, math.SmallestNonzeroFloat64},
	} {
		value, err := AppendEstimate(nil, e)
		assert.NoError(t, err)
		lengths[len(value)] = true
		want := fmt.Sprintf("before$%d\r\n%s\r\n", len(value), value)
		assert.Equal(t, want, string(appendEstimateBulk([]byte("before"), e)))
		assert.Equal(t, want, string(appendEstimateBulk(append(make([]byte, 0, 2048), "before"...), e)))
	}
	for _, n := range []int{3, 9, 10, 12, 99, 100} {
		assert.True(t, lengths[n], "a value of %d bytes", n)
	}
}

func BenchmarkAppendEstimateBulk(b *testing.B) {
	e := Estimate{412.3, 5120.7}
	dst := make([]byte, 0, 64)
	for b.Loop() {
		if dst = appendEstimateBulk(dst[:0], e); len(dst) != len("$12\r\n412.3,5120.7\r\n") {
			b.Fatalf("%q", dst)
		}
	}
}
