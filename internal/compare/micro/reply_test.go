package micro

import (
	"bufio"
	"bytes"
	"fmt"
	"testing"

	"github.com/slotcast/slotcast/resp"
)

const repliedValues = 1000

// reply is the answer to an MGET of 1,000 keys of which four in five are there, and values are those.
func reply() (text []byte, values []string) {
	text = resp.AppendArray(nil, repliedValues)
	for i := range repliedValues {
		if i%5 == 4 {
			text = resp.AppendNull(text)
			continue
		}
		value := fmt.Sprintf("%d.%d,%d.%d", 60+i, i%9+1, 500+17*i, i%7+1)
		text = resp.AppendBulkString(text, value)
		values = append(values, value)
	}
	return text, values
}

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

// BenchmarkReadMGET reads the values of the reply one after the other, as long as they are to be had.
func BenchmarkReadMGET(b *testing.B) {
	text, values := reply()
	source := func() *repeat { return &repeat{text: bytes.Repeat(text, 1+(1<<20)/len(text))} }
	total := 0
	for _, v := range values {
		total += len(v)
	}
	for _, by := range []struct {
		name string
		// reader returns a function that reads a reply and tells how many values it had, and how many bytes they had.
		reader func() func() (n, size int, err error)
	}{
		{"slotcast", func() func() (int, int, error) {
			r := resp.NewReader(source(), resp.Limits{})
			var some [64][]byte // as many at once as package batch reads
			return func() (n, size int, err error) {
				elements, err := r.Array()
				for elements > 0 {
					read, err := r.Bulks(some[:min(elements, len(some))])
					if err != nil {
						return n, size, err
					}
					for _, v := range some[:read] {
						if v != nil {
							n, size = n+1, size+len(v)
						}
					}
					elements -= read
				}
				return n, size, err
			}
		}},
		{"go-redis", func() func() (int, int, error) {
			r := newGoRedisReader(source())
			return func() (n, size int, err error) {
				elements, err := goRedisReadSlice(r)
				for _, v := range elements {
					if s, ok := v.(string); ok {
						n, size = n+1, size+len(s)
					}
				}
				return n, size, err
			}
		}},
		{"rueidis", func() func() (int, int, error) {
			r := bufio.NewReaderSize(source(), 512<<10) // as in its connections
			return func() (n, size int, err error) {
				m, err := rueidisRead(r)
				if err != nil {
					return 0, 0, err
				}
				elements, err := m.ToArray()
				for i := range elements {
					if s, err := elements[i].ToString(); err == nil {
						n, size = n+1, size+len(s)
					}
				}
				return n, size, err
			}
		}},
	} {
		b.Run("values=1000/by="+by.name, func(b *testing.B) {
			read := by.reader()
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if n, size, err := read(); n != len(values) || size != total || err != nil {
					b.Fatal(n, size, err)
				}
			}
		})
	}
}
