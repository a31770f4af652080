package micro

import (
	"strconv"
	"strings"
	"testing"

	"github.com/slotcast/slotcast/routecache"
)

// BenchmarkParseValue reads a stored value. By strconv is what the user of a peer writes.
func BenchmarkParseValue(b *testing.B) {
	_, values := reply()
	raw := make([][]byte, len(values))
	want := make([]routecache.Estimate, len(values))
	for i, v := range values {
		raw[i] = []byte(v)
		want[i], _ = byStrconv(v)
	}
	b.Run("by=slotcast", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i = (i + 1) % len(raw) {
			if e, err := routecache.ParseEstimate(raw[i]); err != nil || e != want[i] {
				b.Fatal(e, err)
			}
		}
	})
	b.Run("by=strconv", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i = (i + 1) % len(values) {
			if e, err := byStrconv(values[i]); err != nil || e != want[i] {
				b.Fatal(e, err)
			}
		}
	})
}

func byStrconv(value string) (e routecache.Estimate, err error) {
	seconds, metres, ok := strings.Cut(value, ",")
	if !ok {
		return e, strconv.ErrSyntax
	}
	if e.Seconds, err = strconv.ParseFloat(seconds, 64); err != nil {
		return e, err
	}
	e.Metres, err = strconv.ParseFloat(metres, 64)
	return e, err
}
