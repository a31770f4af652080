package resp_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
)

func reading(text string) *resp.Reader { return resp.NewReader(strings.NewReader(text), limits{}) }

func TestViews(t *testing.T) {
	t.Run("a kept view is spoilt by the next call", func(t *testing.T) {
		for name := range calls(reading("")) {
			if name == "SkipRest" {
				continue // may return without a look at what comes
			}
			r := reading("*3\r\n$3\r\nabc\r\n$1\r\nx\r\n:1\r\n")
			_, err := r.Array()
			require.NoError(t, err)
			view, err := r.Bulk()
			require.NoError(t, err)
			require.Equal(t, "abc", string(view))
			_ = calls(r)[name]()
			require.NotEqual(t, "abc", string(view), name)
		}
	})
	t.Run("an append to a view does not reach its neighbour", func(t *testing.T) {
		r := reading("*3\r\n$3\r\nabc\r\n+d\r\n$?\r\n;1\r\ne\r\n;0\r\n+f\r\n")
		_, err := r.Array()
		require.NoError(t, err)
		for range 3 {
			view, err := r.Bulk()
			require.NoError(t, err)
			require.Equal(t, len(view), cap(view))
		}
		text, ok, err := r.BulkString()
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, "f", text)
	})
	t.Run("A10 a view outlives the growth it needed", func(t *testing.T) {
		long := strings.Repeat("x", 200<<10)
		r := resp.NewReader(strings.NewReader("+a\r\n-ERR "+long+"\r\n+b\r\n"), limits{Line: 1 << 20})
		_, err := r.Bulk()
		require.NoError(t, err)
		text, err := r.ErrorText()
		require.NoError(t, err)
		require.Equal(t, "ERR "+long, string(text))
		b, err := r.Bulk()
		require.NoError(t, err)
		require.Equal(t, "b", string(b))
	})
	t.Run("A7 null is nil and empty is not", func(t *testing.T) {
		for _, c := range []struct {
			sent string
			null bool
		}{
			{"$0\r\n\r\n", false}, {"+\r\n", false}, {"=4\r\ntxt:\r\n", false}, {"$?\r\n;0\r\n", false},
			{"$-1\r\n", true}, {"*-1\r\n", true}, {"_\r\n", true},
		} {
			b, err := reading(c.sent).Bulk()
			require.NoError(t, err)
			require.Empty(t, b)
			require.Equal(t, c.null, b == nil, "%q", c.sent)
			_, ok, err := reading(c.sent).BulkString()
			require.NoError(t, err)
			require.Equal(t, !c.null, ok, "%q", c.sent)
		}
	})
}

func TestMismatch(t *testing.T) {
	values := map[string]string{ // what of is a value of which kind
		"string": "$1\r\na\r\n", "integer": ":1\r\n", "double": ",1\r\n", "big number": "(1\r\n", "boolean": "#t\r\n",
		"error": "-ERR x\r\n", "array": "*1\r\n:1\r\n", "map": "%1\r\n:1\r\n:2\r\n", "null": "_\r\n",
	}
	reads := map[string]map[string]bool{ // which calls read which
		"Bulk": {"string": true, "null": true}, "BulkString": {"string": true, "null": true},
		"Int": {"integer": true}, "Double": {"double": true}, "BigNumber": {"big number": true},
		"Bool": {"boolean": true, "integer": true, "null": true}, "ErrorText": {"error": true},
		"Array": {"array": true, "null": true}, "Map": {"map": true, "null": true},
	}
	for call, accepts := range reads {
		for value, sent := range values {
			t.Run("A18 "+call+" meets "+value, func(t *testing.T) {
				r := reading("+first\r\n" + sent + "+next\r\n")
				require.NoError(t, r.Skip())
				kind, err := r.Kind()
				require.NoError(t, err)
				err = calls(r)[call]()
				switch {
				case accepts[value]:
					require.NoError(t, err)
					require.NoError(t, r.SkipRest())
				case value == "error":
					require.Equal(t, &resp.Error{Line: "ERR x"}, err)
				default:
					var mismatch *resp.MismatchError
					require.ErrorAs(t, err, &mismatch)
					assert.Equal(t, kind, mismatch.Got)
					assert.Equal(t, int64(len("+first\r\n")), mismatch.Offset)
					assert.Contains(t, mismatch.Error(), "was expected, at byte 8")
					require.NoError(t, r.Skip())
				}
				b, err := r.Bulk()
				require.NoError(t, err)
				require.Equal(t, "next", string(b))
			})
		}
	}
}

func TestScalars(t *testing.T) {
	t.Run("A22 what stands for a boolean", func(t *testing.T) {
		for sent, want := range map[string]bool{"#t": true, "#f": false, ":1": true, ":0": false, "_": false, "$-1": false} {
			got, err := reading(sent + "\r\n").Bool()
			require.NoError(t, err, sent)
			require.Equal(t, want, got, sent)
		}
		r := reading(":2\r\n")
		_, err := r.Bool()
		require.ErrorAs(t, err, new(*resp.MismatchError))
		v, err := r.Int()
		require.NoError(t, err)
		require.Equal(t, int64(2), v)
	})
	t.Run("A17 an error among elements is the error of its element", func(t *testing.T) {
		r := reading("*4\r\n$1\r\na\r\n-ERR inner\r\n!9\r\nBUSY\r\nx y\r\n$1\r\nb\r\n")
		n, err := r.Array()
		require.NoError(t, err)
		require.Equal(t, 4, n)
		_, err = r.Bulk()
		require.NoError(t, err)
		_, err = r.Bulk()
		require.Equal(t, resp.NewError("ERR inner"), err)
		_, err = r.Bulk()
		require.Equal(t, resp.NewError("BUSY\r\nx y"), err)
		b, err := r.Bulk()
		require.NoError(t, err)
		require.Equal(t, "b", string(b))
		require.Zero(t, r.Depth())
	})
	t.Run("A20 a failure sent as a status is a string", func(t *testing.T) {
		b, err := reading("+ERR no such thing\r\n").Bulk()
		require.NoError(t, err)
		require.Equal(t, "ERR no such thing", string(b))
	})
	t.Run("A16 a big number keeps its digits", func(t *testing.T) {
		b, err := reading("(-123456789012345678901234567890\r\n").BigNumber()
		require.NoError(t, err)
		require.Equal(t, "-123456789012345678901234567890", string(b))
	})
	t.Run("A3 the short path is as strict", func(t *testing.T) {
		for _, sent := range []string{"_x\r\n:1\r\n", "_\rx\n:1\r\n", "$01\r\na\r\n", "$1\ra\n\r\n", "$1\r\nabc\r\n", "$?1\r\n\r\n"} {
			r := reading("*2\r\n" + sent)
			_, err := r.Array()
			require.NoError(t, err)
			_, err = r.Bulk()
			require.ErrorAs(t, err, new(*resp.ProtocolError), "%q", sent)
		}
	})
	t.Run("short limits hold on the short path", func(t *testing.T) {
		r := resp.NewReader(strings.NewReader("*1\r\n$6\r\nabcdef\r\n"), limits{Bulk: 5})
		_, err := r.Array()
		require.NoError(t, err)
		_, err = r.Bulk()
		require.ErrorContains(t, err, "limit 5")
	})
}

func TestKind(t *testing.T) {
	for sent, want := range map[string]resp.Kind{
		"+a\r\n": resp.KindSimple, "-a\r\n": resp.KindError, ":1\r\n": resp.KindInt, "$1\r\na\r\n": resp.KindBulk,
		"*0\r\n": resp.KindArray, "_\r\n": resp.KindNull, "$-1\r\n": resp.KindNull, "*-1\r\n": resp.KindNull,
		"#t\r\n": resp.KindBool, ",1\r\n": resp.KindDouble, "(1\r\n": resp.KindBigNumber, "!1\r\na\r\n": resp.KindBlobError,
		"=4\r\ntxt:\r\n": resp.KindVerbatim, "%0\r\n": resp.KindMap, "~0\r\n": resp.KindSet,
		"|0\r\n>0\r\n:1\r\n": resp.KindInt,
	} {
		r := reading(sent)
		for range 2 {
			got, err := r.Kind()
			require.NoError(t, err, "%q", sent)
			require.Equal(t, want, got, "%q", sent)
		}
		require.NoError(t, r.Skip())
		_, err := r.Kind()
		require.Equal(t, io.EOF, err, "%q", sent)
	}
	assert.Equal(t, "bulk string", resp.KindBulk.String())
	assert.Equal(t, `kind('x')`, resp.Kind('x').String())
}

func TestMap(t *testing.T) {
	t.Run("A18 a flat array is a map", func(t *testing.T) {
		for _, sent := range []string{"%2\r\n", "*4\r\n"} {
			r := reading(sent + "+a\r\n:1\r\n$1\r\nb\r\n:2\r\n")
			n, err := r.Map()
			require.NoError(t, err)
			require.Equal(t, 2, n)
			for range n {
				_, err := r.Bulk()
				require.NoError(t, err)
				_, err = r.Int()
				require.NoError(t, err)
			}
			require.False(t, r.More())
		}
	})
	t.Run("A18 an odd array is none", func(t *testing.T) {
		r := reading("*3\r\n:1\r\n:2\r\n:3\r\n+next\r\n")
		_, err := r.Map()
		require.ErrorAs(t, err, new(*resp.MismatchError))
		n, err := r.Array()
		require.NoError(t, err)
		require.Equal(t, 3, n)
	})
	t.Run("A15 a streamed array is one if it is even", func(t *testing.T) {
		r := reading("*?\r\n:1\r\n:2\r\n.\r\n*?\r\n:1\r\n.\r\n")
		for _, even := range []bool{true, false} {
			n, err := r.Map()
			require.NoError(t, err)
			require.Equal(t, resp.Streamed, n)
			for range 2 {
				if !r.More() {
					break
				}
				_, err = r.Int()
				if err != nil {
					break
				}
			}
			if even {
				require.NoError(t, err)
				require.False(t, r.More())
			} else {
				require.ErrorAs(t, err, new(*resp.ProtocolError))
			}
		}
	})
}

func TestDepthAndMore(t *testing.T) {
	type step struct {
		call  string // as in calls, or More and End for More reporting false
		depth int    // after it
	}
	for _, c := range []struct {
		name, sent string
		steps      []step
	}{
		{"scalars", ":1\r\n:2\r\n", []step{{"End", 0}, {"Int", 0}, {"End", 0}, {"Int", 0}}},
		{"counted", "*2\r\n:1\r\n:2\r\n:3\r\n", []step{{"Array", 1}, {"Int", 1}, {"Int", 0}, {"Int", 0}}},
		{"by More", "*2\r\n:1\r\n:2\r\n:3\r\n", []step{{"Array", 1}, {"More", 1}, {"Int", 1}, {"More", 1}, {"Int", 0}, {"End", 0}, {"End", 0}, {"Int", 0}}},
		{"empty", "*0\r\n:1\r\n", []step{{"Array", 0}, {"End", 0}, {"Int", 0}}},
		{"null", "*-1\r\n:1\r\n", []step{{"Array", 0}, {"End", 0}, {"Int", 0}}},
		{"nested, counted", "*2\r\n*1\r\n:1\r\n:2\r\n", []step{{"Array", 1}, {"Array", 2}, {"Int", 1}, {"Int", 0}}},
		{"nested, by More", "*2\r\n*1\r\n:1\r\n*0\r\n:3\r\n", []step{
			{"Array", 1}, {"More", 1}, {"Array", 2}, {"More", 2}, {"Int", 1}, {"End", 1},
			{"More", 1}, {"Array", 0}, {"End", 0}, {"End", 0}, {"Int", 0}}},
		{"counted outside, by More inside", "*2\r\n*1\r\n:1\r\n:2\r\n", []step{{"Array", 1}, {"Array", 2}, {"More", 2}, {"Int", 1}, {"End", 1}, {"Int", 0}}},
		{"last within last", "*1\r\n*1\r\n:1\r\n:2\r\n", []step{{"Array", 1}, {"Array", 2}, {"Int", 0}, {"Int", 0}}},
		{"map", "%1\r\n:1\r\n:2\r\n", []step{{"Map", 1}, {"Int", 1}, {"Int", 0}, {"End", 0}}},
		{"streamed", "*?\r\n:1\r\n.\r\n:2\r\n", []step{{"Array", 1}, {"More", 1}, {"Int", 1}, {"End", 0}, {"Int", 0}}},
		{"skip", "*2\r\n*2\r\n:1\r\n:2\r\n:3\r\n:4\r\n", []step{{"Array", 1}, {"Skip", 1}, {"Skip", 0}, {"Skip", 0}}},
		{"skip the rest", "*2\r\n*2\r\n:1\r\n:2\r\n:3\r\n:4\r\n", []step{{"Array", 1}, {"Array", 2}, {"Int", 2}, {"SkipRest", 0}, {"SkipRest", 0}, {"Int", 0}}},
		{"skip the rest of streams", "*?\r\n*?\r\n:1\r\n.\r\n:3\r\n.\r\n:4\r\n", []step{{"Array", 1}, {"Array", 2}, {"SkipRest", 0}, {"Int", 0}}},
		{"value", "*2\r\n*2\r\n:1\r\n:2\r\n:3\r\n:4\r\n", []step{{"Array", 1}, {"Value", 1}, {"Int", 0}, {"Int", 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := reading(c.sent)
			for i, s := range c.steps {
				switch s.call {
				case "More":
					require.True(t, r.More(), "step %d", i)
				case "End":
					require.False(t, r.More(), "step %d", i)
				default:
					require.NoError(t, calls(r)[s.call](), "step %d: %s", i, s.call)
				}
				require.Equal(t, s.depth, r.Depth(), "step %d: %s", i, s.call)
			}
			require.Zero(t, r.Buffered())
			require.Equal(t, int64(len(c.sent)), r.Offset())
			_, err := r.Kind()
			require.Equal(t, io.EOF, err)
		})
	}
	t.Run("A15 a call at the end of a stream consumes nothing", func(t *testing.T) {
		for name := range calls(reading("")) {
			if name == "SkipRest" {
				continue
			}
			r := reading("*?\r\n:1\r\n.\r\n:2\r\n")
			_, err := r.Array()
			require.NoError(t, err)
			require.NoError(t, r.Skip())
			require.Equal(t, resp.ErrEnd, calls(r)[name](), name)
			require.Equal(t, 1, r.Depth())
			require.False(t, r.More())
			v, err := r.Int()
			require.NoError(t, err)
			require.Equal(t, int64(2), v)
		}
	})
}

func TestPush(t *testing.T) {
	const sent = "+OK\r\n>2\r\n$10\r\ninvalidate\r\n_\r\n:1\r\n>1\r\n+late\r\n"
	t.Run("A11 a push is no reply", func(t *testing.T) {
		r := reading(sent)
		b, err := r.Bulk()
		require.NoError(t, err)
		require.Equal(t, "OK", string(b))
		v, err := r.Int()
		require.NoError(t, err)
		require.Equal(t, int64(1), v)
		_, err = r.Int()
		require.Equal(t, io.EOF, err, "a push between replies may be the last")
	})
	t.Run("A11 OnPush gets it", func(t *testing.T) {
		r := reading(sent)
		var pushes []resp.Value
		r.OnPush = func(push resp.Value) { pushes = append(pushes, push) }
		for range 2 {
			require.NoError(t, r.Skip())
		}
		require.Equal(t, []resp.Value{{Kind: resp.KindPush, Elems: []resp.Value{
			{Kind: resp.KindBulk, Text: "invalidate"}, {Kind: resp.KindNull},
		}}}, pushes)
		require.Equal(t, io.EOF, r.Skip())
		require.Len(t, pushes, 2)
	})
	t.Run("A11 one that is cut short is not the next call's", func(t *testing.T) {
		pushes := 0
		for _, onPush := range []func(resp.Value){nil, func(resp.Value) { pushes++ }} {
			r := resp.NewReader(&chunks{">2\r\n$10\r\ninval", timeout, "idate\r\n_\r\n:1\r\n"}, limits{})
			r.OnPush = onPush
			_, err := r.Kind()
			require.True(t, isTimeout(err))
			require.Zero(t, r.Depth())
			require.False(t, r.More())
			require.NoError(t, r.SkipRest())
			v, err := r.Int()
			require.NoError(t, err)
			require.Equal(t, int64(1), v)
		}
		require.Equal(t, 1, pushes)
	})
}

func TestReset(t *testing.T) {
	r := resp.NewReader(&chunks{"*3\r\n:1\r\n*2\r\n:1\r\n", timeout}, limits{Elements: 5})
	pushes := 0
	r.OnPush = func(resp.Value) { pushes++ }
	_, err := r.Array()
	require.NoError(t, err)
	require.NoError(t, r.Skip())
	require.True(t, isTimeout(r.Skip()))

	r.Reset(strings.NewReader(">0\r\n:2\r\n?"))
	require.Zero(t, r.Depth())
	require.Zero(t, r.Offset())
	v, err := r.Int()
	require.NoError(t, err)
	require.Equal(t, int64(2), v)
	require.Equal(t, 1, pushes)
	_, err = r.Int()
	require.Error(t, err)

	r.Reset(strings.NewReader("*6\r\n"))
	_, err = r.Array()
	require.ErrorContains(t, err, "limit of 5 elements", "the limits stay, the error does not")
}
