package resp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/race"
	"github.com/slotcast/slotcast/resp"
)

// TestAllocations holds the calls of the hot path, and those beside it that a batch makes per reply, to no allocation.
func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	dst := make([]byte, 0, 1<<10)
	key := make([]byte, 48)
	var text string
	for _, c := range []struct {
		name string
		want float64
		sent string
		read func(r *resp.Reader) error
	}{
		{"MGET by Array and Bulk", 0, string(mget(1000, 12, 5)), func(r *resp.Reader) error {
			n, err := r.Array()
			for i := 0; i < n && err == nil; i++ {
				_, err = r.Bulk()
			}
			return err
		}},
		{"MGET by More", 0, string(mget(10, 120, 0)), func(r *resp.Reader) error {
			_, err := r.Array()
			for r.More() && err == nil {
				_, err = r.Bulk()
			}
			return err
		}},
		{"Int", 0, ":1\r\n", func(r *resp.Reader) error { _, err := r.Int(); return err }},
		{"Double", 0, ",0.12345678901234567\r\n", func(r *resp.Reader) error { _, err := r.Double(); return err }},
		{"Bool", 0, "#t\r\n", func(r *resp.Reader) error { _, err := r.Bool(); return err }},
		{"BigNumber", 0, "(12345678901234567890\r\n", func(r *resp.Reader) error { _, err := r.BigNumber(); return err }},
		{"Bulk of a simple string", 0, "+OK\r\n", func(r *resp.Reader) error { _, err := r.Bulk(); return err }},
		{"Bulk of a stream", 0, "$?\r\n;2\r\nab\r\n;0\r\n", func(r *resp.Reader) error { _, err := r.Bulk(); return err }},
		{"ErrorText", 0, "-MOVED 3999 127.0.0.1:6381\r\n", func(r *resp.Reader) error {
			if _, err := r.Kind(); err != nil {
				return err
			}
			_, err := r.ErrorText()
			return err
		}},
		{"Skip", 0, nested, (*resp.Reader).Skip},
		{"SkipRest", 0, nested, func(r *resp.Reader) error {
			_, err := r.Array()
			return then(err, r.SkipRest)
		}},
		{"pushes nobody wants", 0, ">2\r\n+a\r\n*1\r\n_\r\n:1\r\n", func(r *resp.Reader) error { _, err := r.Int(); return err }},
		{"Error", 2, "-ERR x\r\n", func(r *resp.Reader) error {
			if _, err := r.Int(); err.Error() != "ERR x" {
				return err
			}
			return nil
		}},
		{"BulkString", 1, "$12\r\n412.3,5120.7\r\n", func(r *resp.Reader) error {
			var err error
			text, _, err = r.BulkString()
			return err
		}},
		{"Append", 0, ":1\r\n", func(r *resp.Reader) error {
			dst = resp.AppendArray(dst[:0], 3)
			dst = resp.AppendBulkString(dst, "GET")
			dst = resp.AppendBulk(dst, key)
			dst = resp.AppendBulkInt(dst, 3_600_000)
			dst = resp.AppendCommand(dst, "GET", "key")
			dst = resp.AppendDouble(dst, 0.1)
			return r.Skip()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := resp.NewReader(&repeat{text: []byte(c.sent)}, limits{})
			got := testing.AllocsPerRun(100, func() {
				if err := c.read(r); err != nil {
					t.Fatal(err)
				}
			})
			require.Equal(t, c.want, got)
		})
	}
	require.Equal(t, "412.3,5120.7", text)
}
