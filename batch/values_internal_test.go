package batch

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

type twoKeys struct{ got []string }

func (k *twoKeys) Len() int        { return 2 }
func (k *twoKeys) Slot(int) uint16 { return crc16.Slot("{a}") }
func (k *twoKeys) AppendKey(dst []byte, i int) []byte {
	return resp.AppendBulkString(dst, []string{"{a}0", "{a}1"}[i])
}
func (k *twoKeys) Reply(_ int, value []byte) { k.got = append(k.got, string(value)) }

// An op that is kept for the next call pins neither the caller's items nor a read buffer, which may have been a large one.
func TestSpareOpsHoldNothing(t *testing.T) {
	fake := fakeredis.NewCluster(1)
	c, err := Open(t.Context(), Config{Addrs: fake.Addrs(), RefreshPeriod: -1, Conn: conn.Config{Dial: fake.Dial}})
	require.NoError(t, err)
	defer c.Close()
	fake.Node(0).Put("{a}0", "x")
	fake.Node(0).Put("{a}1", "y")
	var k twoKeys
	require.NoError(t, c.Get(t.Context(), &k))
	require.Equal(t, []string{"x", "y"}, k.got)
	o := c.ops.Get(0)
	require.Positive(t, cap(o.order), "it is the one that was used")
	assert.Equal(t, [64][]byte{}, o.reads.values)
	assert.Nil(t, o.reads.items)
	assert.Nil(t, o.reads.each.Reads)
}
