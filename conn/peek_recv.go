//go:build (linux && (386 || s390x)) || darwin || freebsd || netbsd || openbsd || dragonfly

package conn

import "syscall"

func (p *peeker) recv(fd uintptr) {
	p.n, _, p.err = syscall.Recvfrom(int(fd), p.buf[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
}
