package main

import (
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWires(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer ln.Close()
	var ws wires
	dial := func() (client, server net.Conn) {
		client, err := ws.dial(t.Context(), "tcp", ln.Addr().String())
		require.NoError(t, err)
		server, err = ln.Accept()
		require.NoError(t, err)
		t.Cleanup(func() { server.Close() })
		return client, server
	}
	buf := make([]byte, 64)

	client, server := dial()
	assert.Equal(t, 1, ws.opened())
	assert.Implements(t, (*syscall.Conn)(nil), client, "a pool looks at its socket")
	_, err = server.Write([]byte("whole"))
	require.NoError(t, err)
	n, err := client.Read(buf)
	require.NoError(t, err)
	assert.Equal(t, "whole", string(buf[:n]))

	done := ws.reset(2)
	_, err = server.Write([]byte("x"))
	require.NoError(t, err)
	n, err = client.Read(buf)
	require.NoError(t, err)
	assert.Equal(t, 1, n, "there is no middle in a byte")
	_, err = server.Write([]byte("broken"))
	require.NoError(t, err)
	n, err = client.Read(buf)
	require.NoError(t, err)
	assert.Equal(t, "bro", string(buf[:n]))
	_, err = client.Read(buf)
	assert.ErrorIs(t, err, syscall.ECONNRESET)
	_, err = server.Read(buf)
	assert.ErrorIs(t, err, syscall.ECONNRESET)
	select {
	case <-done:
		t.Error("one is left")
	default:
	}
	assert.Equal(t, 1, ws.opened(), "reset, but not closed")
	require.NoError(t, client.Close())
	assert.Zero(t, ws.opened())
	require.NoError(t, client.Close())
	assert.Zero(t, ws.opened())

	plain, _ := dial()
	assert.IsType(t, (*net.TCPConn)(nil), plain, "the second one")
	assert.Equal(t, 1, ws.opened())
	require.NoError(t, plain.Close())
	assert.Zero(t, ws.opened())

	client, server = dial()
	_, err = server.Write([]byte("broken"))
	require.NoError(t, err)
	_, err = client.Read(buf)
	require.NoError(t, err)
	<-done
	require.NoError(t, client.Close())
}
