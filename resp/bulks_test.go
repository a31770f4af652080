package resp_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
)

// Bulks gives what Bulk gives one by one, however the reply arrives and however many are asked for.
func TestBulks(t *testing.T) {
	elements := []struct{ sent, want string }{
		{"$3\r\nabc\r\n", "abc"},
		{"_\r\n", null},
		{"$-1\r\n", null},
		{"$12\r\n412.3,5120.7\r\n", "412.3,5120.7"},
		{"$0\r\n\r\n", ""},
		{"$99\r\n" + strings.Repeat("x", 99) + "\r\n", strings.Repeat("x", 99)},
		{"$100\r\n" + strings.Repeat("y", 100) + "\r\n", strings.Repeat("y", 100)},
		{"-TRYAGAIN later\r\n", "-TRYAGAIN later"},
		{"+simple\r\n", "simple"},
		{"$4\r\n\r\n\r\n\r\n", "\r\n\r\n"},
		{"$?\r\n;2\r\nab\r\n;1\r\nc\r\n;0\r\n", "abc"},
		{"=8\r\ntxt:some\r\n", "some"},
		{"_\r\n", null},
		{"$1\r\nz\r\n", "z"},
	}
	var sent strings.Builder
	var want []string
	sent.Write(resp.AppendArray(nil, len(elements)))
	for _, e := range elements {
		sent.WriteString(e.sent)
		want = append(want, e.want)
	}
	sent.WriteString("$2\r\nno\r\n") // the next reply
	text := sent.String()

	arrivals := map[string]func() chunks{
		"whole":        func() chunks { return chunks{text} },
		"byte by byte": func() chunks { return everyByte(text, timeout) },
	}
	for at := 1; at < len(text); at++ {
		arrivals["cut after "+text[:at]] = func() chunks { return chunks{text[:at], timeout, text[at:]} }
	}
	for name, arrival := range arrivals {
		for most := range 18 {
			src := arrival()
			r := resp.NewReader(&src, limits{})
			_, err := again(forever, r.Array)
			require.NoError(t, err)
			dst := make([][]byte, most)
			var got []string
			for len(got) < len(elements) && most > 0 {
				n, err := again(forever, func() (int, error) { return r.Bulks(dst[:min(most, len(elements)-len(got))]) })
				for _, b := range dst[:n] {
					got = append(got, textOf(b))
				}
				var refused *resp.Error
				if errors.As(err, &refused) {
					got = append(got, "-"+refused.Line)
				} else {
					require.NoError(t, err, name)
					require.Positive(t, n)
				}
			}
			if most == 0 {
				n, err := r.Bulks(nil)
				assert.NoError(t, err)
				assert.Zero(t, n)
				continue
			}
			require.Equal(t, want, got, "%d at once, %s", most, name)
			require.Zero(t, r.Depth())
		}
	}
}

const null = "(null)"

func textOf(b []byte) string {
	if b == nil {
		return null
	}
	return string(b)
}

// No more is read than the aggregate has, also where the next reply is buffered.
func TestBulksStopAtTheEnd(t *testing.T) {
	src := chunks{"*2\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n"}
	r := resp.NewReader(&src, limits{})
	_, err := r.Array()
	require.NoError(t, err)
	var dst [8][]byte
	n, err := r.Bulks(dst[:])
	require.NoError(t, err)
	assert.Equal(t, 2, n)
	b, err := r.Bulk()
	require.NoError(t, err)
	assert.Equal(t, "c", string(b))
}
