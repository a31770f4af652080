package routecache_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/slotcast/slotcast/routecache"
)

// The estimates are typical: tenths of a second and of a metre.
var benchValues = []string{"412.3,5120.7", "88.1,640", "1290.6,20544.9", "305,4011.2", "731.4,10020.3", "66.8,512.4", "950.2,13377.1", "1804.9,31002.6"}

func BenchmarkParseEstimate(b *testing.B) {
	values := make([][]byte, len(benchValues))
	for i, s := range benchValues {
		values[i] = []byte(s)
	}
	b.Run("by=routecache", func(b *testing.B) {
		i := 0
		for b.Loop() {
			e, err := routecache.ParseEstimate(values[i&7])
			if err != nil || e.Seconds < 60 {
				b.Fatal(e, err)
			}
			i++
		}
	})
	b.Run("by=strconv", func(b *testing.B) {
		i := 0
		for b.Loop() {
			s, m, ok := strings.Cut(benchValues[i&7], ",")
			seconds, err1 := strconv.ParseFloat(s, 64)
			_, err2 := strconv.ParseFloat(m, 64)
			if !ok || err1 != nil || err2 != nil || seconds < 60 {
				b.Fatal(s, m)
			}
			i++
		}
	})
}

func BenchmarkAppendEstimate(b *testing.B) {
	estimates := make([]routecache.Estimate, len(benchValues))
	for i, s := range benchValues {
		estimates[i], _ = routecache.ParseEstimate([]byte(s))
	}
	dst := make([]byte, 0, 64)
	b.Run("by=routecache", func(b *testing.B) {
		i := 0
		for b.Loop() {
			dst, _ = routecache.AppendEstimate(dst[:0], estimates[i&7])
			if len(dst) != len(benchValues[i&7]) {
				b.Fatalf("%s", dst)
			}
			i++
		}
	})
	b.Run("by=strconv", func(b *testing.B) {
		i := 0
		for b.Loop() {
			e := &estimates[i&7]
			dst = strconv.AppendFloat(dst[:0], e.Seconds, 'f', -1, 64)
			dst = append(dst, ',')
			dst = strconv.AppendFloat(dst, e.Metres, 'f', -1, 64)
			if len(dst) != len(benchValues[i&7]) {
				b.Fatalf("%s", dst)
			}
			i++
		}
	})
}
