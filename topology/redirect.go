package topology

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/slotcast/slotcast/crc16"
)

// Redirect is what a MOVED or ASK reply says.
type Redirect struct {
	Ask  bool // ASK rather than MOVED
	Slot uint16
	Host string // "" = the host that answered; "?" = the server does not know; IPv6 without brackets
	Port int
}

// ParseRedirect parses the line of an error reply, such as "MOVED 3999 127.0.0.1:6381", without its '-'. It returns
// false for any other error and for a redirect that is malformed. The line is not retained.
//
// The port stands behind the last colon, for servers send IPv6 hosts without brackets
// (https://github.com/redis/redis/issues/6238); brackets are accepted too.
func ParseRedirect(line []byte) (Redirect, bool) {
	var r Redirect
	rest, ok := bytes.CutPrefix(line, []byte("MOVED "))
	if !ok {
		rest, r.Ask = bytes.CutPrefix(line, []byte("ASK "))
		if !r.Ask {
			return Redirect{}, false
		}
	}
	number, addr, _ := bytes.Cut(rest, []byte(" "))
	slot, ok := parseDecimal(number, crc16.SlotCount-1)
	if !ok {
		return Redirect{}, false
	}
	colon := bytes.LastIndexByte(addr, ':')
	if colon < 0 {
		return Redirect{}, false
	}
	port, ok := parseDecimal(addr[colon+1:], 65535)
	if !ok || port == 0 {
		return Redirect{}, false
	}
	host, ok := bareHost(string(addr[:colon]))
	if !ok {
		return Redirect{}, false
	}
	r.Slot, r.Host, r.Port = uint16(slot), host, port
	return r, true
}

// parseDecimal parses plain digits, at most limit.
func parseDecimal(digits []byte, limit int) (int, bool) {
	if len(digits) == 0 || len(digits) > 5 {
		return 0, false
	}
	n := 0
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, n <= limit
}

// Addr returns the address to dial for r, which came over the connection from. It returns false when the server did not
// know the host; then only a refresh can tell.
func (r Redirect) Addr(from Asked) (addr string, ok bool) {
	return from.addr(r.Host, r.Port)
}

// String returns r as the server wrote it, with brackets around an IPv6 host.
func (r Redirect) String() string {
	code := "MOVED"
	if r.Ask {
		code = "ASK"
	}
	host := r.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return code + " " + strconv.Itoa(int(r.Slot)) + " " + host + ":" + strconv.Itoa(r.Port)
}
