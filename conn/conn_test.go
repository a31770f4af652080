package conn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

func TestConversation(t *testing.T) {
	s := fakeredis.Start(t)
	s.Next().Hello().Expect("GET", "a").Reply("$1\r\nx\r\n").Expect("GET", "b").Reply("_\r\n")

	c, err := conn.Dial(t.Context(), s.Addr(), nil)
	require.NoError(t, err)
	defer c.Close()
	require.Equal(t, 3, c.Proto())
	require.Equal(t, "7.0.15", c.Version())
	require.Equal(t, "127.0.0.1", c.Host())

	out := resp.AppendCommand(c.Out(), "GET", "a")
	out = resp.AppendCommand(out, "GET", "b")
	c.Commit(out, 2)
	require.Equal(t, 2, c.Pending())
	done, err := c.Flush()
	require.NoError(t, err)
	require.True(t, done)

	a, ok, err := c.Reader().BulkString()
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "x", a)
	c.Received()
	b, err := c.Reader().Bulk()
	require.NoError(t, err)
	require.Nil(t, b)
	c.Received()
	require.Zero(t, c.Pending())
}

func TestPoolReuses(t *testing.T) {
	s := fakeredis.Start(t)
	p := conn.NewPool(s.Addr(), nil)
	defer p.Close()
	for range 3 {
		c, err := p.Get(t.Context())
		require.NoError(t, err)
		v, err := c.Do(t.Context(), "PING")
		require.NoError(t, err)
		require.Equal(t, "PONG", v.Text)
		p.Put(c)
	}
	require.Equal(t, 1, s.Accepted())
	st := p.Stats()
	require.Equal(t, []int{1, 1, 0}, []int{st.Open, st.Idle, st.InUse})
}
