package resp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
)

func value(t *testing.T, text string) resp.Value {
	t.Helper()
	v, err := reading(text).Value()
	require.NoError(t, err)
	return v
}

func TestValue(t *testing.T) {
	got := value(t, "%7\r\n+int\r\n:-7\r\n+bulk\r\n$3\r\na\r\n\r\n+double\r\n,1.5\r\n+bool\r\n#t\r\n"+
		"+verbatim\r\n=5\r\ntxt:v\r\n$6\r\nerrors\r\n*2\r\n-ERR a\r\n!5\r\nERR b\r\n+rest\r\n~3\r\n_\r\n(12\r\n*0\r\n")
	text := func(k resp.Kind, s string) resp.Value { return resp.Value{Kind: k, Text: s} }
	want := resp.Value{Kind: resp.KindMap, Elems: []resp.Value{
		text(resp.KindSimple, "int"), {Kind: resp.KindInt, Int: -7},
		text(resp.KindSimple, "bulk"), text(resp.KindBulk, "a\r\n"),
		text(resp.KindSimple, "double"), {Kind: resp.KindDouble, Float: 1.5},
		text(resp.KindSimple, "bool"), {Kind: resp.KindBool, Int: 1},
		text(resp.KindSimple, "verbatim"), text(resp.KindVerbatim, "v"),
		text(resp.KindBulk, "errors"), {Kind: resp.KindArray, Elems: []resp.Value{text(resp.KindError, "ERR a"), text(resp.KindError, "ERR b")}},
		text(resp.KindSimple, "rest"), {Kind: resp.KindSet, Elems: []resp.Value{{Kind: resp.KindNull}, text(resp.KindBigNumber, "12"), {Kind: resp.KindArray}}},
	}}
	require.Empty(t, cmp.Diff(want, got))
}

func TestValueHoldsCopies(t *testing.T) {
	r := reading("*2\r\n$3\r\nabc\r\n+d\r\n$3\r\nxyz\r\n")
	v, err := r.Value()
	require.NoError(t, err)
	require.NoError(t, r.Skip())
	require.Equal(t, `["abc" "d"]`, render(v))
}

func TestValueElems(t *testing.T) {
	t.Run("more elements than are allocated at first", func(t *testing.T) {
		v := value(t, "*1000\r\n"+strings.Repeat(":1\r\n", 1000))
		require.Len(t, v.Elems, 1000)
	})
}

func TestAsInt(t *testing.T) {
	for sent, want := range map[string]int64{
		":5": 5, "+-5": -5, "$2\r\n16": 16, "=6\r\ntxt:17": 17, "(9223372036854775807": 1<<63 - 1, "$2\r\n+5": 5,
	} {
		got, err := value(t, sent+"\r\n").AsInt()
		require.NoError(t, err, sent)
		require.Equal(t, want, got, sent)
	}
	for _, sent := range []string{
		"+", "+a", "+1.0", "$2\r\n 5", "_", "#t", ",1", "-5", "*0", "+9223372036854775808",
		"(123456789012345678901234567890", // A16
	} {
		_, err := value(t, sent+"\r\n").AsInt()
		require.Error(t, err, sent)
	}
}

func TestAsText(t *testing.T) {
	for sent, want := range map[string]string{"+a": "a", "$1\r\nb": "b", "=5\r\ntxt:c": "c", "$0\r\n": ""} {
		got, ok := value(t, sent+"\r\n").AsText()
		require.True(t, ok, sent)
		require.Equal(t, want, got)
	}
	for _, sent := range []string{"_", ":1", "-ERR", "*0", "(1"} {
		_, ok := value(t, sent+"\r\n").AsText()
		require.False(t, ok, sent)
	}
}

func TestValueErr(t *testing.T) {
	for _, sent := range []string{"-MOVED 5 a:1\r\n", "!11\r\nMOVED 5 a:1\r\n"} {
		err := value(t, sent).Err()
		var reply *resp.Error
		require.ErrorAs(t, err, &reply)
		require.Equal(t, "MOVED 5 a:1", err.Error())
		require.Equal(t, "MOVED", reply.Code())
	}
	require.NoError(t, value(t, "+ERR\r\n").Err())
	require.True(t, value(t, "$-1\r\n").IsNull())
	require.False(t, value(t, "$0\r\n\r\n").IsNull())
}

func TestErrorCode(t *testing.T) {
	for line, want := range map[string]string{"": "", "ERR": "ERR", "TRYAGAIN Multiple keys": "TRYAGAIN", " x": ""} {
		require.Equal(t, want, resp.NewError(line).Code(), "%q", line)
	}
}

func TestGet(t *testing.T) {
	for _, header := range []string{"%4\r\n", "*8\r\n", "%?\r\n"} {
		t.Run("A18 "+header[:1], func(t *testing.T) {
			end := ""
			if header == "%?\r\n" {
				end = ".\r\n"
			}
			v := value(t, header+"+a\r\n:1\r\n$1\r\nb\r\n:2\r\n$1\r\na\r\n:3\r\n:4\r\n:5\r\n"+end)
			a, ok := v.Get("a")
			require.True(t, ok)
			require.Equal(t, int64(3), a.Int, "the last of two counts")
			b, ok := v.Get("b")
			require.True(t, ok)
			require.Equal(t, int64(2), b.Int)
			_, ok = v.Get("c")
			require.False(t, ok)

			pairs, err := v.Pairs()
			require.NoError(t, err)
			var got []string
			for key, value := range pairs {
				got = append(got, render(key)+render(value))
				if len(got) == 3 {
					break
				}
			}
			require.Equal(t, []string{`"a":1`, `"b":2`, `"a":3`}, got)
		})
	}
	for _, sent := range []string{"*3\r\n+a\r\n:1\r\n+b\r\n", "~2\r\n+a\r\n:1\r\n", "+a\r\n", "_\r\n"} {
		t.Run("A18 neither map nor pairs", func(t *testing.T) {
			v := value(t, sent)
			_, ok := v.Get("a")
			require.False(t, ok)
			_, err := v.Pairs()
			require.Error(t, err)
		})
	}
}
