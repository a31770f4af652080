package resp_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
)

// allocated returns the bytes that do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestAnnouncedSizes sends headers whose values never come, under the default limits.
func TestAnnouncedSizes(t *testing.T) {
	for _, c := range []struct{ name, sent string }{
		{"A1 array of 2147483647", "*2147483647\r\n"},
		{"A1 array of 4294967295", "*4294967295\r\n"},
		{"A1 map of 4294967295", "%4294967295\r\n"},
		{"A1 set of 2147483647", "~2147483647\r\n"},
		{"A1 push of 999999999", ">999999999\r\n"},
		{"A1 the largest array", "*1048576\r\n:1\r\n"},
		{"A1 the largest map", "%524288\r\n:1\r\n"},
		{"A1 large arrays side by side", "*100\r\n" + strings.Repeat("*10000\r\n", 100)},
		{"A2 bulk of 1152921504606846992", "$1152921504606846992\r\nabc"},
		{"A2 bulk of 536870913", "$536870913\r\nabc"},
		{"A2 the largest bulk", "$536870912\r\n" + strings.Repeat("x", 100<<10)},
		{"A2 the largest bulk in an array", "*2\r\n:1\r\n$536870912\r\n" + strings.Repeat("x", 100<<10)},
		{"A2 the largest verbatim string", "=536870912\r\ntxt:" + strings.Repeat("x", 100<<10)},
		{"A2 the largest chunk", "$?\r\n;536870800\r\n" + strings.Repeat("x", 100<<10)},
		{"A4 map of 4611686018427387904", "%4611686018427387904\r\n"},
		{"A5 100,000 arrays within each other", strings.Repeat("*1\r\n", 100_000)},
		{"A5 100,000 maps within each other", strings.Repeat("%1\r\n:1\r\n", 100_000)},
		{"A5 100,000 attributes within each other", strings.Repeat("|1\r\n", 100_000)},
		{"A5 100,000 streams within each other", strings.Repeat("*?\r\n", 100_000)},
		{"A5 an endless line", "+" + strings.Repeat("x", 10<<20)},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, d := range drivers {
				bytes := allocated(func() {
					got, err := transcript(resp.NewReader(nil, limits{}), strings.NewReader(c.sent), d.read)
					require.Empty(t, got)
					if err != io.ErrUnexpectedEOF {
						require.ErrorAs(t, err, new(*resp.ProtocolError))
					}
				})
				require.Less(t, bytes, uint64(1<<20), d.name)
			}
			bytes := allocated(func() { require.Error(t, reading(c.sent).Skip()) })
			require.Less(t, bytes, uint64(1<<20), "Skip")
		})
	}
}

// xs is a source of n bytes x between a header and a trailer.
func xs(header string, n int64, trailer string) io.Reader {
	return io.MultiReader(strings.NewReader(header), io.LimitReader(readerFunc(func(p []byte) (int, error) {
		for i := range p {
			p[i] = 'x'
		}
		return len(p), nil
	}), n), strings.NewReader(trailer))
}

func TestBufferGrowth(t *testing.T) {
	const mib = 1 << 20
	t.Run("A2 the buffer follows what has come", func(t *testing.T) {
		r := resp.NewReader(xs("$4194304\r\n", 4*mib, "\r\n+OK\r\n"), limits{})
		bytes := allocated(func() {
			b, err := r.Bulk()
			require.NoError(t, err)
			require.Len(t, b, 4*mib)
		})
		require.Less(t, bytes, uint64(18*mib)) // 8 MiB and its halves
		require.Equal(t, 8*mib, resp.BufferCap(r))

		r.Trim(mib)
		require.Equal(t, 8*mib, resp.BufferCap(r), "bytes are buffered")
		b, err := r.Bulk()
		require.NoError(t, err)
		require.Equal(t, "OK", string(b))
		r.Trim(32 * mib)
		require.Equal(t, 8*mib, resp.BufferCap(r), "not larger than allowed")
		offset := r.Offset()
		r.Trim(mib)
		require.Zero(t, resp.BufferCap(r))
		require.Equal(t, offset, r.Offset())
		_, err = r.Kind()
		require.Equal(t, io.EOF, err)
	})
	t.Run("Reset drops a buffer that has grown", func(t *testing.T) {
		r := resp.NewReader(xs("$1048576\r\n", mib, "\r\n"), limits{})
		require.NoError(t, calls(r)["Bulk"]())
		r.Reset(strings.NewReader(":1\r\n"))
		require.Zero(t, resp.BufferCap(r))
		require.NoError(t, calls(r)["Int"]())
		require.Equal(t, 64<<10, resp.BufferCap(r))
		r.Reset(strings.NewReader(":1\r\n"))
		require.Equal(t, 64<<10, resp.BufferCap(r))
	})
	t.Run("Skip buffers no string", func(t *testing.T) {
		for _, header := range []string{"$67108864\r\n", "*1\r\n$67108864\r\n", "$?\r\n;67108864\r\n"} {
			trailer := "\r\n+OK\r\n"
			if strings.Contains(header, ";") {
				trailer = "\r\n;0\r\n+OK\r\n"
			}
			r := resp.NewReader(xs(header, 64*mib, trailer), limits{})
			bytes := allocated(func() { require.NoError(t, r.Skip()) })
			require.Less(t, bytes, uint64(mib))
			b, err := r.Bulk()
			require.NoError(t, err)
			require.Equal(t, "OK", string(b))
		}
	})
	t.Run("one read brings what there is", func(t *testing.T) {
		reads := 0
		text := strings.NewReader(string(mget(1000, 12, 0)))
		r := resp.NewReader(readerFunc(func(p []byte) (int, error) { reads++; return text.Read(p) }), limits{})
		require.NoError(t, r.Skip())
		require.Equal(t, 1, reads)
	})
}
