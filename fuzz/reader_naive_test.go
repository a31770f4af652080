package fuzz_test

import (
	"bytes"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/slotcast/slotcast/resp"
)

// FuzzReaderAgainstNaive reads any bytes with the Reader and with a decoder that could not be simpler.
//
//   - They accept the same streams.
//   - They read the same values from every stream, up to where it goes wrong.
//   - Where a stream is accepted, its first bytes alone are no protocol error: more may be to come.
//
// Found: attribute_without_value. The Reader took the end of a streamed aggregate for the value of an attribute.
func FuzzReaderAgainstNaive(f *testing.F) {
	for i, sent := range wire {
		f.Add([]byte(sent), uint16(i%5))
	}
	limits := resp.Limits{Depth: 8, Line: 200}
	r := resp.NewReader(nil, limits)
	f.Fuzz(func(t *testing.T, sent []byte, cut uint16) {
		want, accepted := naiveRead(sent, limits)
		got, err := readAll(r, bytes.NewReader(sent))
		if (err == io.EOF) != accepted {
			t.Fatalf("%q: %v, accepted by the naive decoder: %v", sent, err, accepted)
		}
		if !slices.EqualFunc(got, want, same) {
			t.Fatalf("%q:\ngot  %+v\nwant %+v", sent, got, want)
		}
		if !accepted {
			return
		}
		got, err = readAll(r, bytes.NewReader(sent[:int(cut)%(len(sent)+1)]))
		if err != io.EOF && err != io.ErrUnexpectedEOF {
			t.Fatalf("%q cut off: %v", sent, err)
		}
		if len(got) > len(want) || !slices.EqualFunc(got, want[:len(got)], same) {
			t.Fatalf("%q cut off:\ngot  %+v\nwant %+v", sent, got, want)
		}
	})
}

// same reports whether two trees are equal, NaN being equal to NaN and no elements to none.
func same(a, b resp.Value) bool {
	floats := math.Float64bits(a.Float) == math.Float64bits(b.Float) || math.IsNaN(a.Float) && math.IsNaN(b.Float)
	return a.Kind == b.Kind && a.Text == b.Text && a.Int == b.Int && floats && slices.EqualFunc(a.Elems, b.Elems, same)
}
