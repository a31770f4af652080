package conn

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/fakeredis"
)

func TestUserTimeout(t *testing.T) {
	t.Run("E13 TCP_USER_TIMEOUT is set, and is later than our own", func(t *testing.T) {
		s := fakeredis.Start(t)
		c, err := Dial(t.Context(), s.Addr(), &Config{Timeout: 8 * time.Second})
		require.NoError(t, err)
		defer c.Close()
		var ms, nodelay int
		var err1, err2 error
		require.NoError(t, c.peek.rc.Control(func(fd uintptr) {
			ms, err1 = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout)
			nodelay, err2 = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_NODELAY)
		}))
		require.NoError(t, err1)
		require.NoError(t, err2)
		require.Equal(t, 16000, ms)
		require.Equal(t, 1, nodelay)
	})
	t.Run("at least 10 s", func(t *testing.T) {
		require.Equal(t, 10*time.Second, userTimeout(time.Millisecond))
	})
}
