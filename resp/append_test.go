package resp_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
)

func TestAppend(t *testing.T) {
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"Array", resp.AppendArray(nil, 3), "*3\r\n"},
		{"Bulk", resp.AppendBulk(nil, []byte("a\r\nb")), "$4\r\na\r\nb\r\n"},
		{"Bulk of nil", resp.AppendBulk(nil, nil), "$0\r\n\r\n"},
		{"BulkString", resp.AppendBulkString(nil, "hello"), "$5\r\nhello\r\n"},
		{"BulkInt", resp.AppendBulkInt(nil, 3600), "$4\r\n3600\r\n"},
		{"BulkInt, the longest", resp.AppendBulkInt(nil, math.MinInt64), "$20\r\n-9223372036854775808\r\n"},
		{"Command", resp.AppendCommand(nil, "GET", "key"), "*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n"},
		{"Simple", resp.AppendSimple(nil, "OK"), "+OK\r\n"},
		{"A9 Simple with a line break", resp.AppendSimple(nil, "a\r\nb"), "+a  b\r\n"},
		{"Error", resp.AppendError(nil, "ERR no"), "-ERR no\r\n"},
		{"A9 Error with a line break", resp.AppendError(nil, "ERR a\nb"), "-ERR a b\r\n"},
		{"Int", resp.AppendInt(nil, -1), ":-1\r\n"},
		{"Null", resp.AppendNull(nil), "_\r\n"},
		{"NullBulk", resp.AppendNullBulk(nil), "$-1\r\n"},
		{"NullArray", resp.AppendNullArray(nil), "*-1\r\n"},
		{"Bool", resp.AppendBool(resp.AppendBool(nil, true), false), "#t\r\n#f\r\n"},
		{"Double", resp.AppendDouble(nil, 1.5), ",1.5\r\n"},
		{"Double, large", resp.AppendDouble(nil, 1e100), ",1e+100\r\n"},
		{"Double, inf", resp.AppendDouble(nil, math.Inf(1)), ",inf\r\n"},
		{"Double, -inf", resp.AppendDouble(nil, math.Inf(-1)), ",-inf\r\n"},
		{"Double, nan", resp.AppendDouble(nil, math.NaN()), ",nan\r\n"},
		{"BigNumber", resp.AppendBigNumber(nil, "-12345678901234567890"), "(-12345678901234567890\r\n"},
		{"BlobError", resp.AppendBlobError(nil, "ERR a\r\nb"), "!8\r\nERR a\r\nb\r\n"},
		{"Verbatim", resp.AppendVerbatim(nil, "mkd", "#"), "=5\r\nmkd:#\r\n"},
		{"Verbatim without a format", resp.AppendVerbatim(nil, "", "a"), "=5\r\ntxt:a\r\n"},
		{"Map", resp.AppendMap(nil, 2), "%2\r\n"},
		{"Set", resp.AppendSet(nil, 2), "~2\r\n"},
		{"Push", resp.AppendPush(nil, 2), ">2\r\n"},
		{"Attribute", resp.AppendAttribute(nil, 1), "|1\r\n"},
		{"behind what is there", resp.AppendInt([]byte("+OK\r\n"), 1), "+OK\r\n:1\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, string(c.got))
		})
	}
}

// TestRoundTrip writes values and reads them back.
func TestRoundTrip(t *testing.T) {
	doubles := []float64{0, math.Copysign(0, -1), 1, -1.5, math.Pi, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e20, 1e-7, math.Inf(1), math.Inf(-1)}
	for _, want := range doubles {
		got, err := reading(string(resp.AppendDouble(nil, want))).Double()
		require.NoError(t, err, want)
		require.Equal(t, math.Float64bits(want), math.Float64bits(got), want)
	}
	for _, want := range []int64{0, 1, -1, 9, 10, math.MaxInt64, math.MinInt64} {
		got, err := reading(string(resp.AppendInt(nil, want))).Int()
		require.NoError(t, err, want)
		require.Equal(t, want, got)
	}
	for n := range 200 {
		want := strings.Repeat("\r\n$", n)[:n]
		got, ok, err := reading(string(resp.AppendBulkString(nil, want))).BulkString()
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
}
