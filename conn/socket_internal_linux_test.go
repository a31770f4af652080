//go:build linux && !386 && !s390x

package conn

import (
	"crypto/tls"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/alloctest"
)

// socketPair returns both ends of a TCP connection.
func socketPair(t testing.TB) (near, far *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	a, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	b, err := l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() {
		a.Close()
		b.Close()
	})
	return a.(*net.TCPConn), b.(*net.TCPConn)
}

// A socket answers as the TCPConn it is made of, failures included.
func TestSocketAsTCPConn(t *testing.T) {
	soon := func() time.Time { return time.Now().Add(20 * time.Millisecond) }
	read := func(nc net.Conn) (int, error) { return nc.Read(make([]byte, 8)) }
	write := func(nc net.Conn) (int, error) { return nc.Write([]byte("abc")) }
	for _, tt := range []struct {
		name string
		call func(near net.Conn, far *net.TCPConn) (int, error)
		n    int
		err  error
	}{
		{"read what is there", func(near net.Conn, far *net.TCPConn) (int, error) {
			_, _ = far.Write([]byte("abcde"))
			return read(near)
		}, 5, nil},
		{"read what comes later", func(near net.Conn, far *net.TCPConn) (int, error) {
			time.AfterFunc(20*time.Millisecond, func() { _, _ = far.Write([]byte("abcde")) })
			return read(near)
		}, 5, nil},
		{"read no more than asked for", func(near net.Conn, far *net.TCPConn) (int, error) {
			_, _ = far.Write([]byte("123456789"))
			return read(near)
		}, 8, nil},
		{"read nothing", func(near net.Conn, far *net.TCPConn) (int, error) { return near.Read(nil) }, 0, nil},
		{"read at the end", func(near net.Conn, far *net.TCPConn) (int, error) {
			_ = far.Close()
			return read(near)
		}, 0, io.EOF},
		{"read after a reset", func(near net.Conn, far *net.TCPConn) (int, error) {
			_ = far.SetLinger(0)
			_ = far.Close()
			return read(near)
		}, 0, syscall.ECONNRESET},
		{"read past the deadline", func(near net.Conn, far *net.TCPConn) (int, error) {
			_, _ = far.Write([]byte("abc"))
			_ = near.SetDeadline(past)
			return read(near)
		}, 0, os.ErrDeadlineExceeded},
		{"read until the deadline", func(near net.Conn, far *net.TCPConn) (int, error) {
			_ = near.SetDeadline(soon())
			return read(near)
		}, 0, os.ErrDeadlineExceeded},
		{"read until the deadline is moved", func(near net.Conn, far *net.TCPConn) (int, error) {
			time.AfterFunc(20*time.Millisecond, func() { _ = near.SetDeadline(past) })
			return read(near)
		}, 0, os.ErrDeadlineExceeded},
		{"read when closed", func(near net.Conn, far *net.TCPConn) (int, error) {
			_ = near.Close()
			return read(near)
		}, 0, net.ErrClosed},
		{"read until closed", func(near net.Conn, far *net.TCPConn) (int, error) {
			time.AfterFunc(20*time.Millisecond, func() { _ = near.Close() })
			return read(near)
		}, 0, net.ErrClosed},
		{"write", func(near net.Conn, far *net.TCPConn) (int, error) { return write(near) }, 3, nil},
		{"write nothing", func(near net.Conn, far *net.TCPConn) (int, error) { return near.Write(nil) }, 0, nil},
		{"write more than the kernel takes at once", func(near net.Conn, far *net.TCPConn) (int, error) {
			go func() { _, _ = io.Copy(io.Discard, far) }()
			return near.Write(make([]byte, 16<<20))
		}, 16 << 20, nil},
		{"write past the deadline", func(near net.Conn, far *net.TCPConn) (int, error) {
			_ = near.SetDeadline(past)
			return write(near)
		}, 0, os.ErrDeadlineExceeded},
		{"write when closed", func(near net.Conn, far *net.TCPConn) (int, error) {
			_ = near.Close()
			return write(near)
		}, 0, net.ErrClosed},
		{"write after a reset", func(near net.Conn, far *net.TCPConn) (int, error) {
			_ = far.SetLinger(0)
			_ = far.Close()
			_, _ = read(near)
			return write(near)
		}, 0, syscall.EPIPE},
	} {
		t.Run(tt.name, func(t *testing.T) {
			near, far := socketPair(t)
			wantN, wantErr := tt.call(near, far)
			near, far = socketPair(t)
			s := direct(near)
			require.IsType(t, (*socket)(nil), s)
			n, err := tt.call(s, far)

			assert.Equal(t, tt.n, n)
			assert.ErrorIs(t, err, tt.err)
			assert.Equal(t, wantN, n)
			if wantErr != nil {
				require.Error(t, err)
				assert.Equal(t, bare(wantErr).Error(), bare(err).Error())
				assert.Equal(t, isTimeout(wantErr), isTimeout(err))
			}
		})
	}
}

// What the kernel has taken when the deadline passes is told, and the rest can follow.
func TestSocketPartialWrite(t *testing.T) {
	near, far := socketPair(t)
	s := direct(near)
	sent := make([]byte, 16<<20)
	for i := range sent {
		sent[i] = byte(i % 251)
	}
	_ = s.SetDeadline(time.Now().Add(20 * time.Millisecond))
	n, err := s.Write(sent)
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.Positive(t, n)
	require.Less(t, n, len(sent))

	got := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(far)
		got <- all
	}()
	_ = s.SetDeadline(time.Time{})
	rest, err := s.Write(sent[n:])
	require.NoError(t, err)
	assert.Equal(t, len(sent), n+rest)
	require.NoError(t, s.Close())
	assert.Equal(t, sent, <-got)
}

// The methods of a type around a TCPConn are somebody's, who wants them called.
func TestDirectLeavesOthersAlone(t *testing.T) {
	near, _ := socketPair(t)
	around := struct{ *net.TCPConn }{near}
	assert.Equal(t, around, direct(around))
	secure := tls.Client(near, &tls.Config{ServerName: "node"})
	assert.Same(t, secure, direct(secure))
}

func TestSocketAllocations(t *testing.T) {
	near, far := socketPair(t)
	s := direct(near)
	buf, echo := make([]byte, 16), make([]byte, 16)
	alloctest.Run(t, []alloctest.Budget{
		{Name: "write and read", Want: 0, Func: func() {
			_, _ = s.Write(buf)
			_, _ = io.ReadFull(far, echo)
			_, _ = far.Write(echo)
			_, _ = io.ReadFull(s, buf)
		}},
	})
}
