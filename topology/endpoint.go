package topology

import (
	"net"
	"strconv"
	"strings"
)

// Asked describes the connection over which a reply came. Replies leave out what the client knows already: a node whose
// host is empty is at the host that was asked, and over TLS other ports count.
type Asked struct {
	Host string // as dialled, without the port and without brackets
	Port int
	TLS  bool
	// MapAddr, if set, turns an address a server announces into the one to dial: for clients behind NAT or port
	// forwarding. It is applied to all addresses in replies and redirects, also to a host taken from this connection,
	// so it must leave an address alone that is mapped already.
	MapAddr func(host string, port int) (string, int)
}

// unknownHost is what servers put for a node whose host they do not know (cluster-preferred-endpoint-type hostname
// without a hostname). It must never be dialled.
const unknownHost = "?"

// addr returns the address to dial for a host and port a server announced, or ok = false when there is none.
func (a Asked) addr(host string, port int) (addr string, ok bool) {
	if host == "" {
		host = a.Host
	}
	host, ok = bareHost(host)
	if !ok || host == "" || host == unknownHost || port <= 0 || port > 65535 {
		return "", false
	}
	if a.MapAddr != nil {
		host, port = a.MapAddr(host, port)
	}
	return net.JoinHostPort(host, strconv.Itoa(port)), true
}

// bareHost takes brackets off a host. It refuses one with other brackets, blanks or control characters: nothing has such a
// name, and an address made of it could not be taken apart again.
func bareHost(host string) (string, bool) {
	if strings.HasPrefix(host, "[") {
		if len(host) < 3 || host[len(host)-1] != ']' {
			return "", false
		}
		host = host[1 : len(host)-1]
	}
	for i := range len(host) {
		if c := host[i]; c <= ' ' || c == 0x7F || c == '[' || c == ']' {
			return "", false
		}
	}
	return host, true
}

// endpoint is what a reply says about the place of a node. An endpoint that is told but empty or null means the host that
// was asked.
type endpoint struct {
	told     bool
	endpoint string
	hostname string
	ip       string
}

// host returns the host in the order endpoint, hostname, ip. The ip often is an internal one
// (https://github.com/redis-rb/redis-cluster-client/issues/515), so it comes last. An empty hostname is none
// (https://github.com/redis/redis-doc/pull/2333).
func (e endpoint) host() string {
	if e.told && e.endpoint != unknownHost {
		return e.endpoint
	}
	for _, h := range []string{e.hostname, e.ip} {
		if h != "" && h != unknownHost {
			return h
		}
	}
	return unknownHost
}
