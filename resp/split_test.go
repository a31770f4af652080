package resp_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
)

// chunks is a source that returns one of its chunks per read, or what of it there is room for. An empty chunk is a read
// of (0, nil), and timeout, which no peer can send, one that times out.
type chunks []string

const timeout = "\xfftimeout"

func (c *chunks) Read(p []byte) (n int, err error) {
	if len(*c) == 0 {
		return 0, io.EOF
	}
	first := (*c)[0]
	if first == timeout {
		*c = (*c)[1:]
		return 0, os.ErrDeadlineExceeded
	}
	n = copy(p, first)
	if n < len(first) {
		(*c)[0] = first[n:]
	} else {
		*c = (*c)[1:]
	}
	return n, nil
}

// everyByte puts something before each byte of a text and behind the last.
func everyByte(text, something string) chunks {
	var c chunks
	for i := range len(text) {
		c = append(c, something, text[i:i+1])
	}
	return append(c, something)
}

func TestCorpus(t *testing.T) {
	for _, s := range corpus {
		t.Run(s.name, func(t *testing.T) {
			s.check(t, func() io.Reader { return strings.NewReader(s.sent) })
		})
	}
}

func TestSplits(t *testing.T) {
	for _, s := range corpus {
		t.Run("A6 "+s.name, func(t *testing.T) {
			s.check(t, func() io.Reader { return iotest.OneByteReader(strings.NewReader(s.sent)) })
			s.check(t, func() io.Reader { c := everyByte(s.sent, ""); return &c })
			s.check(t, func() io.Reader { return iotest.DataErrReader(strings.NewReader(s.sent)) })
			s.check(t, func() io.Reader { return iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(s.sent))) })
			for at := range splits(s.sent) {
				s.check(t, func() io.Reader { return &chunks{s.sent[:at], s.sent[at:]} })
			}
		})
	}
}

// TestTimeouts has the source time out before every byte at once, and before each byte alone.
func TestTimeouts(t *testing.T) {
	for _, s := range corpus {
		t.Run("A6 timeouts "+s.name, func(t *testing.T) {
			s.check(t, func() io.Reader { c := everyByte(s.sent, timeout); return &c })
			for at := range splits(s.sent) {
				s.check(t, func() io.Reader { return &chunks{s.sent[:at], timeout, timeout, s.sent[at:]} })
			}
		})
	}
}

// splits yields the places to split text at: all, or of a long text those near its ends.
func splits(text string) func(yield func(at int) bool) {
	const long, near = 200, 20
	return func(yield func(at int) bool) {
		for at := range len(text) + 1 {
			if len(text) > long && at > near && at < len(text)-near {
				continue
			}
			if !yield(at) {
				return
			}
		}
	}
}

// TestPositions requires that errors and offsets do not depend on how the bytes arrive.
func TestPositions(t *testing.T) {
	for _, s := range corpus {
		for _, d := range drivers {
			t.Run(fmt.Sprintf("A6 %s/%s", d.name, s.name), func(t *testing.T) {
				_, want := transcript(reused, strings.NewReader(s.sent), d.read)
				_, got := transcript(reused, iotest.OneByteReader(strings.NewReader(s.sent)), d.read)
				require.Equal(t, want, got)
			})
		}
	}
}

func TestNoProgress(t *testing.T) {
	t.Run("A6 reads of nothing end", func(t *testing.T) {
		var c chunks
		for range 200 {
			c = append(c, "")
		}
		r := resp.NewReader(&c, limits{})
		_, err := r.Bulk()
		require.Equal(t, io.ErrNoProgress, err)
		require.Len(t, c, 100)
		_, err = r.Kind()
		require.Equal(t, io.ErrNoProgress, err, "the error stays")
		require.Len(t, c, 100)
	})
	t.Run("A6 reads of nothing pass", func(t *testing.T) {
		var c chunks
		for range 99 {
			c = append(c, "")
		}
		c = append(c, "+OK\r\n")
		b, err := resp.NewReader(&c, limits{}).Bulk()
		require.NoError(t, err)
		require.Equal(t, "OK", string(b))
	})
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestSourceErrors(t *testing.T) {
	broken := errors.New("broken")
	t.Run("bytes that come with an error are read first", func(t *testing.T) {
		r := resp.NewReader(readerFunc(func(p []byte) (int, error) { return copy(p, ":1\r\n:2\r\n:"), broken }), limits{})
		for want := range int64(2) {
			v, err := r.Int()
			require.NoError(t, err)
			require.Equal(t, want+1, v)
		}
		for range 2 {
			_, err := r.Int()
			require.Equal(t, broken, err)
		}
	})
	t.Run("bytes that come with a timeout are read first", func(t *testing.T) {
		calls := 0
		r := resp.NewReader(readerFunc(func(p []byte) (int, error) {
			calls++
			return copy(p, ":1\r\n"), os.ErrDeadlineExceeded
		}), limits{})
		for range 2 {
			_, err := r.Int()
			require.NoError(t, err)
		}
		require.Equal(t, 2, calls)
	})
	for name, n := range map[string]int{"negative count": -1, "count beyond the buffer": 1 << 30} {
		t.Run(name, func(t *testing.T) {
			r := resp.NewReader(readerFunc(func([]byte) (int, error) { return n, nil }), limits{})
			_, err := r.Bulk()
			require.ErrorContains(t, err, "impossible count")
		})
	}
	t.Run("a peer that no longer acknowledges is no timeout", func(t *testing.T) {
		reads := 0
		r := resp.NewReader(readerFunc(func([]byte) (int, error) { reads++; return 0, syscall.ETIMEDOUT }), limits{})
		for range 2 {
			_, err := r.Int()
			require.Equal(t, syscall.ETIMEDOUT, err)
		}
		require.Equal(t, 1, reads)
	})
	t.Run("a wrapped timeout is one", func(t *testing.T) {
		reads := 0
		r := resp.NewReader(readerFunc(func([]byte) (int, error) {
			reads++
			return 0, fmt.Errorf("read: %w", os.ErrDeadlineExceeded)
		}), limits{})
		for range 2 {
			_, err := r.Int()
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		}
		require.Equal(t, 2, reads)
	})
	t.Run("A8 an error stays where a value seems to follow", func(t *testing.T) {
		for _, sent := range []string{"*3\r\n$3\r\nabc$1\r\nx\r\n", "*3\r\n$?\r\n$1\r\nx\r\n"} {
			r := resp.NewReader(strings.NewReader(sent), limits{})
			_, err := r.Array()
			require.NoError(t, err)
			want := r.Skip()
			require.ErrorAs(t, want, new(*resp.ProtocolError))
			_, err = r.Bulk()
			require.Equal(t, want, err)
		}
	})
	t.Run("errors stay for every call", func(t *testing.T) {
		r := resp.NewReader(strings.NewReader("*2\r\n$1\r\na\r\n?"), limits{})
		_, err := r.Array()
		require.NoError(t, err)
		_, err = r.Bulk()
		require.NoError(t, err)
		_, want := r.Bulk()
		require.Error(t, want)
		require.True(t, r.More(), "the next call returns the error")
		for name, call := range calls(r) {
			require.Equal(t, want, call(), name)
		}
	})
}

// calls are all the calls that read.
func calls(r *resp.Reader) map[string]func() error {
	return map[string]func() error{
		"Kind":       func() error { _, err := r.Kind(); return err },
		"Bulk":       func() error { _, err := r.Bulk(); return err },
		"BulkString": func() error { _, _, err := r.BulkString(); return err },
		"Int":        func() error { _, err := r.Int(); return err },
		"Double":     func() error { _, err := r.Double(); return err },
		"Bool":       func() error { _, err := r.Bool(); return err },
		"BigNumber":  func() error { _, err := r.BigNumber(); return err },
		"ErrorText":  func() error { _, err := r.ErrorText(); return err },
		"Array":      func() error { _, err := r.Array(); return err },
		"Map":        func() error { _, err := r.Map(); return err },
		"Skip":       func() error { return r.Skip() },
		"SkipRest":   func() error { return r.SkipRest() },
		"Value":      func() error { _, err := r.Value(); return err },
	}
}
