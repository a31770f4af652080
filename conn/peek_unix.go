//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package conn

import "syscall"

func (p *peeker) look() sight {
	if p.rc == nil {
		return unseen
	}
	// Control and not Read, which would first ask the deadline.
	if err := p.rc.Control(p.fn); err != nil {
		return gone
	}
	switch {
	case p.err == syscall.EAGAIN || p.err == syscall.EINTR:
		return quiet
	case p.err != nil || p.n == 0:
		return gone
	default:
		return waiting
	}
}
