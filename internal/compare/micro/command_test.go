package micro

import (
	"bufio"
	"bytes"
	"io"
	"testing"

	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/routecache"
	"github.com/stretchr/testify/require"
)

const encodedKeys = 1000

// An encoder writes the command MGET with all keys to its destination.
type encoder struct {
	name string
	to   func(dst io.Writer) func() error
}

// encoders are given 1,000 pairs of one tag, and the peers their keys: go-redis wraps each key as its MGet does, rueidis
// has its command ready.
func encoders(b *testing.B) []encoder {
	pairs, _, err := workload.CellPairs(encodedKeys, 9, 1)
	require.NoError(b, err)
	template, err := routecache.ParseTemplate(routecache.DefaultTemplate)
	require.NoError(b, err)
	keys := routecache.NewKeyEncoder(template, 17, 9)
	var ready []string
	for _, p := range pairs {
		ready = append(ready, string(keys.AppendKey(nil, p)))
	}
	header := func(out []byte) []byte { return append(resp.AppendArray(out, 1+len(pairs)), "$4\r\nmget\r\n"...) }
	return []encoder{
		{"from=pairs/by=slotcast", func(dst io.Writer) func() error {
			var out []byte
			return func() error {
				out = header(out[:0])
				for _, p := range pairs {
					out = keys.AppendBulk(out, p)
				}
				_, err := dst.Write(out)
				return err
			}
		}},
		{"from=keys/by=slotcast", func(dst io.Writer) func() error {
			var out []byte
			return func() error {
				out = header(out[:0])
				for _, key := range ready {
					out = resp.AppendBulkString(out, key)
				}
				_, err := dst.Write(out)
				return err
			}
		}},
		{"from=keys/by=go-redis", func(dst io.Writer) func() error {
			out := bufio.NewWriterSize(dst, 512<<10)
			w := newGoRedisWriter(out)
			return func() error {
				args := make([]any, 1, 1+len(ready))
				args[0] = "mget"
				for _, key := range ready {
					args = append(args, key)
				}
				if err := goRedisWriteArgs(w, args); err != nil {
					return err
				}
				return out.Flush()
			}
		}},
		{"from=keys/by=rueidis", func(dst io.Writer) func() error {
			out := bufio.NewWriterSize(dst, 512<<10)
			cmd := append([]string{"mget"}, ready...)
			return func() error {
				if err := rueidisWrite(out, cmd); err != nil {
					return err
				}
				return out.Flush()
			}
		}},
	}
}

// BenchmarkEncodeMGET encodes an MGET of 1,000 keys. The bytes are the same for all.
func BenchmarkEncodeMGET(b *testing.B) {
	var want []byte
	for _, e := range encoders(b) {
		var got bytes.Buffer
		require.NoError(b, e.to(&got)())
		if want == nil {
			want = got.Bytes()
		}
		require.Equal(b, string(want), got.String(), e.name)
		b.Run("keys=1000/"+e.name, func(b *testing.B) {
			encode := e.to(io.Discard)
			b.SetBytes(int64(len(want)))
			b.ReportAllocs()
			for b.Loop() {
				if err := encode(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
