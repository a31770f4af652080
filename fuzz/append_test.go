package fuzz_test

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/slotcast/slotcast/resp"
)

// FuzzAppend writes scalars with each of the Append functions and reads them back.
//
//   - What was in the slice before stays.
//   - The typed call and Value give what was written, but for the line breaks of a line, which become spaces.
//   - Nothing is left over.
func FuzzAppend(f *testing.F) {
	for _, text := range []string{"", "OK", "a\r\nb", "MOVED 3999 127.0.0.1:6381", "\r", "\n", "\x00\xff", "$-1\r\n", strings.Repeat("x", 99), strings.Repeat("x", 100)} {
		f.Add([]byte(text), int64(len(text)), float64(len(text))/3, "mkd")
	}
	for _, n := range []int64{0, -1, 9, 10, math.MaxInt64, math.MinInt64} {
		f.Add([]byte("key"), n, math.Float64frombits(uint64(n)), "txt")
	}
	for _, v := range []float64{math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64, 1e20, 1e-7} {
		f.Add([]byte("v"), int64(1), v, "")
	}
	r := resp.NewReader(nil, resp.Limits{Line: 1 << 20})
	f.Fuzz(func(t *testing.T, raw []byte, n int64, v float64, format string) {
		s := string(raw)
		line := strings.NewReplacer("\r", " ", "\n", " ").Replace(s)
		digits := strconv.FormatInt(n, 10)
		even := n&1 == 0
		is := int64(0)
		if even {
			is = 1
		}
		for _, c := range []struct {
			name string
			wire []byte
			want resp.Value
			read func(r *resp.Reader) (any, error)
			give any
		}{
			{"Bulk", resp.AppendBulk([]byte("+"), raw), resp.Value{Kind: '$', Text: s}, readText((*resp.Reader).Bulk), s},
			{"BulkString", resp.AppendBulkString([]byte("+"), s), resp.Value{Kind: '$', Text: s}, readText((*resp.Reader).Bulk), s},
			{"BulkInt", resp.AppendBulkInt([]byte("+"), n), resp.Value{Kind: '$', Text: digits}, readText((*resp.Reader).Bulk), digits},
			{"Simple", resp.AppendSimple([]byte("+"), s), resp.Value{Kind: '+', Text: line}, readText((*resp.Reader).Bulk), line},
			{"Verbatim", resp.AppendVerbatim([]byte("+"), format, s), resp.Value{Kind: '=', Text: s}, readText((*resp.Reader).Bulk), s},
			{"Error", resp.AppendError([]byte("+"), s), resp.Value{Kind: '-', Text: line}, readText((*resp.Reader).ErrorText), line},
			{"BlobError", resp.AppendBlobError([]byte("+"), s), resp.Value{Kind: '-', Text: s}, readText((*resp.Reader).ErrorText), s},
			{"Int", resp.AppendInt([]byte("+"), n), resp.Value{Kind: ':', Int: n}, read((*resp.Reader).Int), n},
			{"Double", resp.AppendDouble([]byte("+"), v), resp.Value{Kind: ',', Float: v}, readBits, bits(v)},
			{"Bool", resp.AppendBool([]byte("+"), even), resp.Value{Kind: '#', Int: is}, read((*resp.Reader).Bool), even},
			{"BigNumber", resp.AppendBigNumber([]byte("+"), digits), resp.Value{Kind: '(', Text: digits}, readText((*resp.Reader).BigNumber), digits},
			{"Null", resp.AppendNull([]byte("+")), resp.Value{Kind: '_'}, readText((*resp.Reader).Bulk), nil},
			{"NullBulk", resp.AppendNullBulk([]byte("+")), resp.Value{Kind: '_'}, readText((*resp.Reader).Bulk), nil},
			{"NullArray", resp.AppendNullArray([]byte("+")), resp.Value{Kind: '_'}, read((*resp.Reader).Array), -1},
		} {
			wire, kept := bytes.CutPrefix(c.wire, []byte("+"))
			if !kept {
				t.Fatalf("%s: %q does not begin with what was there", c.name, c.wire)
			}
			r.Reset(bytes.NewReader(wire))
			if got, err := c.read(r); err != nil || got != c.give {
				t.Fatalf("%s: %q reads as %#v, %v, want %#v", c.name, wire, got, err, c.give)
			}
			if _, err := r.Kind(); err != io.EOF {
				t.Fatalf("%s: %q leaves %v", c.name, wire, err)
			}
			r.Reset(bytes.NewReader(wire))
			if got, err := r.Value(); err != nil || !same(got, c.want) {
				t.Fatalf("%s: %q reads as %+v, %v, want %+v", c.name, wire, got, err, c.want)
			}
		}
	})
}

func read[T any](do func(*resp.Reader) (T, error)) func(*resp.Reader) (any, error) {
	return func(r *resp.Reader) (any, error) { return do(r) }
}

// readText reads a copy of a view, or nil for null.
func readText(do func(*resp.Reader) ([]byte, error)) func(*resp.Reader) (any, error) {
	return func(r *resp.Reader) (any, error) {
		b, err := do(r)
		if b == nil {
			return nil, err
		}
		return string(b), err
	}
}

func readBits(r *resp.Reader) (any, error) {
	v, err := r.Double()
	return bits(v), err
}

// bits are those of v, or of the one NaN.
func bits(v float64) uint64 {
	if math.IsNaN(v) {
		v = math.NaN()
	}
	return math.Float64bits(v)
}
