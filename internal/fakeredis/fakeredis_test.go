package fakeredis_test

import (
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = nc.Close() })
	require.NoError(t, nc.SetDeadline(time.Now().Add(time.Minute)))
	return nc
}

func say(t *testing.T, nc net.Conn, args ...string) {
	t.Helper()
	_, err := nc.Write(resp.AppendCommand(nil, args...))
	require.NoError(t, err)
}

func hear(t *testing.T, nc net.Conn, want string) {
	t.Helper()
	got := make([]byte, len(want))
	_, err := io.ReadFull(nc, got)
	require.NoError(t, err)
	require.Equal(t, want, string(got))
}

func TestScript(t *testing.T) {
	s := fakeredis.Start(t)
	script := s.Next().Hello().Expect("GET", "a")
	nc := dial(t, s.Addr())
	say(t, nc, "HELLO", "3")
	hear(t, nc, string(fakeredis.Welcome))
	say(t, nc, "get", "a")
	require.NoError(t, nc.SetReadDeadline(time.Now().Add(time.Millisecond)))
	_, err := nc.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded, "nothing before its step")
	require.NoError(t, nc.SetReadDeadline(time.Now().Add(time.Minute)))
	script.Reply("$1\r\nx\r\n").Close()
	hear(t, nc, "$1\r\nx\r\n")
	_, err = nc.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

func TestScriptsThenHandler(t *testing.T) {
	s := fakeredis.Start(t)
	s.Next().Reply("+first\r\n")
	s.Next().Reply("+second\r\n").Serve()
	s.Handle(fakeredis.Ready(func(p *fakeredis.Peer, cmd []string) []byte {
		n, _ := p.Data.(int)
		p.Data = n + 1
		return resp.AppendInt(nil, int64(n))
	}))
	hear(t, dial(t, s.Addr()), "+first\r\n")
	second, third := dial(t, s.Addr()), dial(t, s.Addr())
	hear(t, second, "+second\r\n")
	for _, nc := range []net.Conn{second, third} {
		say(t, nc, "PING")
		hear(t, nc, "+PONG\r\n")
		say(t, nc, "COUNT")
		say(t, nc, "COUNT")
		hear(t, nc, ":0\r\n:1\r\n")
	}
	assert.Equal(t, 3, s.Accepted())
	assert.Equal(t, 3, s.Live())
}

func TestProxy(t *testing.T) {
	s := fakeredis.Start(t)
	p := fakeredis.StartProxy(t, s.Addr())
	nc := dial(t, p.Addr())
	say(t, nc, "PING")
	hear(t, nc, "+PONG\r\n")

	p.Hold()
	say(t, nc, "PING")
	require.NoError(t, nc.SetReadDeadline(time.Now().Add(time.Millisecond)))
	_, err := nc.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, nc.SetReadDeadline(time.Now().Add(time.Minute)))
	p.Release()
	hear(t, nc, "+PONG\r\n")

	p.CutAfter(3)
	say(t, nc, "PING")
	got, err := io.ReadAll(nc)
	require.NoError(t, err)
	assert.Equal(t, "+PO", string(got))

	again := dial(t, p.Addr())
	say(t, again, "PING")
	hear(t, again, "+PONG\r\n")
	p.Hangup()
	_, err = again.Read(make([]byte, 1))
	require.Error(t, err)
}
