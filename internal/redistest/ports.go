package redistest

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Ports are drawn from [portLow, portHigh): with their bus ports, busOffset higher, they stay below the ports that Linux
// gives to outgoing connections (32768 and up), which would otherwise collide with them now and then.
const (
	portLow  = 10000
	portHigh = 22768
	// busOffset is the distance of the cluster bus port (CLUSTER_PORT_INCR in the servers' cluster.h).
	busOffset = 10000
)

// ports remembers what this process has given out, so that the port of a killed server is still there for its restart.
var ports = struct {
	sync.Mutex
	taken map[int]bool
}{taken: map[int]bool{}}

// takePort returns a port that is free at this moment, with its bus port. Another process may still win the race for it;
// the server then exits and is given another.
func takePort() (int, error) {
	ports.Lock()
	defer ports.Unlock()
	for range 1000 {
		port := portLow + rand.IntN(portHigh-portLow)
		if ports.taken[port] || ports.taken[port+busOffset] || ports.taken[port-busOffset] {
			continue
		}
		if canListen(port) && canListen(port+busOffset) {
			ports.taken[port] = true
			return port, nil
		}
	}
	return 0, errors.New("redistest: no free port found")
}

func releasePort(port int) {
	ports.Lock()
	defer ports.Unlock()
	delete(ports.taken, port)
}

func canListen(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return false
	}
	l.Close()
	return true
}
