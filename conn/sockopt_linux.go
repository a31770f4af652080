package conn

import (
	"net"
	"syscall"
	"time"
)

// tcpUserTimeout is TCP_USER_TIMEOUT of <linux/tcp.h>, which package syscall does not name.
const tcpUserTimeout = 0x12

// setUserTimeout has the kernel give up a connection whose data stays unacknowledged for so long. Keepalive does not
// run while data is unacknowledged, so without it a peer that lost its power is noticed after 15 minutes. It is the
// second line: the first are our own deadlines. Fault E13.
func setUserTimeout(nc net.Conn, d time.Duration) {
	tc, ok := nc.(*net.TCPConn)
	if !ok {
		return
	}
	if rc, err := tc.SyscallConn(); err == nil {
		_ = rc.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(d.Milliseconds()))
		})
	}
}
