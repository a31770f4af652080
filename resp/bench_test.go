package resp_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
)

// repeat is a source that brings the same bytes over and over, as many per read as there is room for.
type repeat struct {
	text []byte
	at   int
}

func (s *repeat) Read(p []byte) (n int, err error) {
	n = copy(p, s.text[s.at:])
	s.at = (s.at + n) % len(s.text)
	return n, nil
}

// mget returns the reply to an MGET of n keys, every nulls-th of which is missing (0 for none).
func mget(n, size, nulls int) []byte {
	reply := resp.AppendArray(nil, n)
	for i := range n {
		if nulls > 0 && i%nulls == nulls-1 {
			reply = resp.AppendNull(reply)
			continue
		}
		reply = resp.AppendBulk(reply, bytes.Repeat([]byte{'v'}, size))
	}
	return reply
}

func benchmark(b *testing.B, reply []byte, read func(r *resp.Reader)) {
	defer resp.SetPoison(resp.SetPoison(false))
	text := bytes.Repeat(reply, 1+(64<<10)/len(reply))
	r := resp.NewReader(&repeat{text: text}, resp.Limits{})
	b.SetBytes(int64(len(reply)))
	b.ReportAllocs()
	for b.Loop() {
		read(r)
	}
	if r.Depth() != 0 {
		b.Fatal("stopped inside a reply")
	}
}

func BenchmarkReader(b *testing.B) {
	for _, c := range []struct{ n, size, nulls int }{
		{10, 12, 0}, {1000, 12, 0}, {1000, 12, 5}, {1000, 80, 0}, {1000, 200, 0}, {10, 100_000, 0},
	} {
		b.Run(fmt.Sprintf("mget=%d/size=%d/nulls=%d", c.n, c.size, c.nulls), func(b *testing.B) {
			missing := 0
			if c.nulls > 0 {
				missing = c.n / c.nulls
			}
			benchmark(b, mget(c.n, c.size, c.nulls), func(r *resp.Reader) {
				n, err := r.Array()
				if err != nil {
					b.Fatal(err)
				}
				total := 0
				var values [64][]byte
				for n > 0 {
					read, err := r.Bulks(values[:min(n, len(values))])
					if err != nil {
						b.Fatal(err)
					}
					for _, v := range values[:read] {
						total += len(v)
					}
					n -= read
				}
				if total != (c.n-missing)*c.size {
					b.Fatalf("%d bytes", total)
				}
			})
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.n), "ns/value")
		})
	}
}

func BenchmarkReaderTopLevel(b *testing.B) {
	benchmark(b, []byte("$12\r\n412.3,5120.7\r\n"), func(r *resp.Reader) {
		if v, err := r.Bulk(); err != nil || len(v) != 12 {
			b.Fatal(v, err)
		}
	})
}

func BenchmarkReaderInt(b *testing.B) {
	benchmark(b, []byte(":123456\r\n"), func(r *resp.Reader) {
		if v, err := r.Int(); err != nil || v != 123456 {
			b.Fatal(v, err)
		}
	})
}

func BenchmarkReaderSkip(b *testing.B) {
	benchmark(b, mget(1000, 12, 0), func(r *resp.Reader) {
		if err := r.Skip(); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkReaderValue(b *testing.B) {
	benchmark(b, mget(1000, 12, 0), func(r *resp.Reader) {
		if v, err := r.Value(); err != nil || len(v.Elems) != 1000 {
			b.Fatal(v, err)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	key := []byte(strings.Repeat("k", 48))
	for _, c := range []struct {
		name string
		fn   func(dst []byte) []byte
	}{
		{"Bulk/size=48", func(dst []byte) []byte { return resp.AppendBulk(dst, key) }},
		{"BulkString/size=48", func(dst []byte) []byte {
			return resp.AppendBulkString(dst, "{routing:v1:17}89283082a53ffff:892830828efffff:9")
		}},
		{"BulkInt", func(dst []byte) []byte { return resp.AppendBulkInt(dst, 3_600_000) }},
		{"Command/args=3", func(dst []byte) []byte { return resp.AppendCommand(dst, "GET", "a", "b") }},
	} {
		b.Run(c.name, func(b *testing.B) {
			dst := c.fn(nil)
			want := string(dst)
			b.SetBytes(int64(len(want)))
			b.ReportAllocs()
			for b.Loop() {
				dst = c.fn(dst[:0])
			}
			require.Equal(b, want, string(dst))
		})
	}
}
