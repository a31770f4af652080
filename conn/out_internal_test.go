package conn

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sink takes what is written.
type sink struct{ net.Conn }

func (sink) Write(b []byte) (int, error) { return len(b), nil }

func TestRequestBufferIsLent(t *testing.T) {
	const keep = 1 << 10
	cfg := (&Config{KeepBuffer: keep}).withDefaults()
	a, b := newConn("a:1", sink{}, cfg), newConn("b:1", sink{}, cfg)
	send := func(c *Conn, size int) *byte {
		c.Commit(append(c.Out(), make([]byte, size)...), 1)
		array := &c.out[0]
		done, err := c.Flush()
		require.NoError(t, err)
		require.True(t, done)
		assert.Nil(t, c.out, "nothing to send, nothing held")
		return array
	}
	first := send(a, keep)
	assert.Same(t, first, send(b, keep/2), "what the one has sent from, the other sends from next")

	a.Commit(append(a.Out(), "not sent yet"...), 1)
	assert.NotSame(t, first, send(b, 1), "no two have it")
	assert.Equal(t, "not sent yet", string(a.Out()))
	assert.True(t, a.unsend())
	assert.Nil(t, a.out)

	large := send(a, keep+1)
	for range 3 {
		assert.NotSame(t, large, send(a, 1), "too large to be kept")
	}
}
