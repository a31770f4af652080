//go:build !linux

package conn

import (
	"net"
	"time"
)

// setUserTimeout does nothing: the option is Linux's.
func setUserTimeout(net.Conn, time.Duration) {}
