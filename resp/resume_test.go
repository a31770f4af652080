package resp_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
)

// nested is a reply with something of everything in it.
const nested = "|1\r\n+a\r\n*1\r\n:1\r\n" +
	"*6\r\n" +
	"*2\r\n$3\r\nabc\r\n%1\r\n+k\r\n$?\r\n;2\r\nhi\r\n;1\r\n!\r\n;0\r\n" +
	"*?\r\n:1\r\n|1\r\n+b\r\n*2\r\n:1\r\n_\r\n*1\r\n$-1\r\n.\r\n" +
	"=8\r\ntxt:abcd\r\n" +
	"-ERR x\r\n" +
	"*0\r\n" +
	",1.5\r\n"

// TestGiveUp leaves a reply at a timeout, wherever it comes, and goes on to the next reply.
func TestGiveUp(t *testing.T) {
	readers := map[string]func(r *resp.Reader) error{
		"Value":    func(r *resp.Reader) error { _, err := r.Value(); return err },
		"cursor":   func(r *resp.Reader) error { _, err := walk(r, 1); return err },
		"Skip":     func(r *resp.Reader) error { return r.Skip() },
		"SkipRest": func(r *resp.Reader) error { _, err := r.Array(); return then(err, r.SkipRest) },
	}
	rests := map[string]func(at int) chunks{
		"at once":      func(at int) chunks { return chunks{nested[at:] + "+NEXT\r\n"} },
		"byte by byte": func(at int) chunks { return everyByte(nested[at:]+"+NEXT\r\n", timeout) },
	}
	for name, read := range readers {
		for arrival, rest := range rests {
			t.Run(fmt.Sprintf("%s/the rest %s", name, arrival), func(t *testing.T) {
				for at := range len(nested) {
					src := append(chunks{nested[:at], timeout, timeout}, rest(at)...)
					r := resp.NewReader(&src, limits{})
					require.True(t, isTimeout(read(r)), "at %d", at) // a first timeout may be swallowed by More
					finish := r.SkipRest
					if r.Depth() == 0 {
						finish = r.Skip // the reply has not begun
					}
					_, err := again(forever, func() (any, error) { return nil, finish() })
					require.NoError(t, err, "at %d", at)
					require.Zero(t, r.Depth(), "at %d", at)
					next, err := again(forever, r.Bulk)
					require.NoError(t, err, "at %d", at)
					require.Equal(t, "NEXT", string(next), "at %d", at)
					_, err = again(forever, r.Kind)
					require.Equal(t, io.EOF, err, "at %d", at)
				}
			})
		}
	}
}

// then goes on with the next call unless there is an error.
func then(err error, next func() error) error {
	if err != nil {
		return err
	}
	return next()
}

// TestAnotherCall makes another call than the one that timed out.
func TestAnotherCall(t *testing.T) {
	interrupted := map[string]func(r *resp.Reader) error{
		"Value": func(r *resp.Reader) error { _, err := r.Value(); return err },
		"Skip":  (*resp.Reader).Skip,
	}
	for name, first := range interrupted {
		start := func(t *testing.T) *resp.Reader {
			r := resp.NewReader(&chunks{"*3\r\n*3\r\n:1\r\n$5\r\nab", timeout, "cde\r\n:3\r\n$1\r\nx\r\n:2\r\n+NEXT\r\n"}, limits{})
			n, err := r.Array()
			require.NoError(t, err)
			require.Equal(t, 3, n)
			require.True(t, isTimeout(first(r)))
			require.Equal(t, 2, r.Depth())
			require.True(t, r.More())
			require.Equal(t, 2, r.Depth())
			return r
		}
		t.Run(name+"/Bulk skips the rest of the value", func(t *testing.T) {
			b, err := start(t).Bulk()
			require.NoError(t, err)
			require.Equal(t, "x", string(b))
		})
		t.Run(name+"/Kind too", func(t *testing.T) {
			k, err := start(t).Kind()
			require.NoError(t, err)
			require.Equal(t, resp.KindBulk, k)
		})
		t.Run(name+"/Skip goes on with it", func(t *testing.T) {
			r := start(t)
			require.NoError(t, r.Skip())
			require.Equal(t, 1, r.Depth())
			b, err := r.Bulk()
			require.NoError(t, err)
			require.Equal(t, "x", string(b))
		})
		t.Run(name+"/SkipRest ends the reply", func(t *testing.T) {
			r := start(t)
			require.NoError(t, r.SkipRest())
			b, err := r.Bulk()
			require.NoError(t, err)
			require.Equal(t, "NEXT", string(b))
		})
	}
	t.Run("Value after a Value that was skipped", func(t *testing.T) {
		r := resp.NewReader(&chunks{"*2\r\n*1\r\n", timeout, ":1\r\n:2\r\n*1\r\n:3\r\n"}, limits{})
		_, err := r.Value()
		require.True(t, isTimeout(err))
		require.NoError(t, r.Skip())
		v, err := r.Value()
		require.NoError(t, err)
		require.Equal(t, "[:3]", render(v))
	})
	t.Run("More while the last element is being skipped", func(t *testing.T) {
		r := resp.NewReader(&chunks{"*1\r\n$5\r\nhe", timeout, "ll", timeout, "o\r\n:3\r\n"}, limits{})
		_, err := r.Array()
		require.NoError(t, err)
		timeouts := 0
		for r.More() {
			if err := r.Skip(); err != nil {
				require.True(t, isTimeout(err))
				timeouts++
			}
		}
		require.Equal(t, 2, timeouts)
		v, err := r.Int()
		require.NoError(t, err)
		require.Equal(t, int64(3), v)
	})
	t.Run("Value after Skip is the next value", func(t *testing.T) {
		r := resp.NewReader(&chunks{"*2\r\n:1\r\n", timeout, ":2\r\n:3\r\n"}, limits{})
		require.True(t, isTimeout(r.Skip()))
		v, err := r.Value()
		require.NoError(t, err)
		require.Equal(t, ":3", render(v))
	})
}

// TestTimeoutConsumesNothing looks at the state between a timeout and the second attempt.
func TestTimeoutConsumesNothing(t *testing.T) {
	r := resp.NewReader(&chunks{"*2\r\n$5\r\nhel", timeout, "lo\r\n", timeout, ":7\r\n"}, limits{})
	_, err := r.Array()
	require.NoError(t, err)
	offset := r.Offset()
	_, err = r.Bulk()
	require.True(t, isTimeout(err))
	require.Equal(t, offset, r.Offset())
	require.Equal(t, 1, r.Depth())
	require.Equal(t, len("$5\r\nhel"), r.Buffered())
	_, err = r.Int()
	require.Equal(t, &resp.MismatchError{Want: "integer", Got: resp.KindBulk, Offset: offset}, err)
	b, err := r.Bulk()
	require.NoError(t, err)
	require.Equal(t, "hello", string(b))
	require.True(t, r.More())
	_, err = r.Int()
	require.True(t, isTimeout(err))
	require.True(t, r.More())
	v, err := r.Int()
	require.NoError(t, err)
	require.Equal(t, int64(7), v)
	require.False(t, r.More())
}
