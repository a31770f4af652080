//go:build linux && !386 && !s390x

package conn

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"

	"github.com/slotcast/slotcast/internal/race"
)

// socket is a TCP connection that reads and writes by raw system calls, of which the scheduler is not told.
//
// It is told of the usual ones so that it can give the processor to others should the call block. Ours never block, they
// wait in the runtime's poller as those of package net do, and telling is not free: the first call after an idle moment
// wakes the thread that watches over blocked calls (entersyscall_sysmon in runtime/proc.go), which then runs along for a
// while. Without that, a Get of 3,000 pairs from three primaries took 11 % less CPU, a Set 15 %, a Get of 100 pairs 25 %
// and one of 300,000 20 %, wall time as before (comparison against the same client without, in turns, 10 rounds).
//
// Like all of a Conn, each direction belongs to one goroutine at a time.
type socket struct {
	*net.TCPConn
	raw     syscall.RawConn
	in, out transfer
}

// direct returns nc as a socket if it is a TCP connection of package net and not something around one, whose methods must
// be called.
func direct(nc net.Conn) net.Conn {
	tc, ok := nc.(*net.TCPConn)
	if !ok {
		return nc
	}
	raw, err := tc.SyscallConn()
	if err != nil {
		return nc
	}
	s := &socket{TCPConn: tc, raw: raw}
	s.in.try, s.out.try = s.in.recv, s.out.send
	return s
}

// Read is that of the TCPConn.
func (s *socket) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	s.in.begin(p)
	n, err := s.in.end("read", s.raw.Read(s.in.try))
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

// Write is that of the TCPConn.
func (s *socket) Write(p []byte) (int, error) {
	s.out.begin(p)
	return s.out.end("write", s.raw.Write(s.out.try))
}

// transfer is one direction of a socket, with what a Read or Write under way works on: so the functions given to the
// RawConn are made once, and calls allocate nothing.
type transfer struct {
	try   func(fd uintptr) (done bool) // done is false when the socket is not ready
	buf   []byte
	n     int
	errno syscall.Errno
}

func (t *transfer) begin(p []byte) { t.buf, t.n, t.errno = p, 0, 0 }

// end takes what the RawConn returned: an error if the deadline passed or the connection was closed.
func (t *transfer) end(op string, err error) (int, error) {
	t.buf = nil
	if err == nil && t.errno != 0 {
		err = os.NewSyscallError(op, t.errno)
	}
	return t.n, err
}

func (t *transfer) recv(fd uintptr) bool {
	n, errno := move(syscall.SYS_RECVFROM, fd, t.buf, 0)
	if errno == syscall.EAGAIN {
		return false
	}
	t.n, t.errno = n, errno
	race.Received(fd, t.buf[:n])
	return true
}

func (t *transfer) send(fd uintptr) bool {
	race.Sending(t.buf)
	for t.n < len(t.buf) {
		n, errno := move(syscall.SYS_SENDTO, fd, t.buf[t.n:], syscall.MSG_NOSIGNAL)
		if errno == syscall.EAGAIN {
			return false
		}
		t.n += n
		if t.errno = errno; errno != 0 {
			return true
		}
	}
	return true
}

// move is recvfrom(2) or sendto(2) of p, which must not be empty, without blocking: whatever mode the socket is in.
func move(call, fd uintptr, p []byte, flags uintptr) (int, syscall.Errno) {
	for {
		n, _, errno := syscall.RawSyscall6(call, fd, uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)),
			flags|syscall.MSG_DONTWAIT, 0, 0)
		switch errno {
		case 0:
			return int(n), 0
		case syscall.EINTR:
		default:
			return 0, errno
		}
	}
}

func (p *peeker) recv(fd uintptr) {
	n, errno := move(syscall.SYS_RECVFROM, fd, p.buf[:], syscall.MSG_PEEK)
	p.n, p.err = n, nil
	if errno != 0 {
		p.err = errno
	}
}
