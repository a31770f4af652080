package fuzz_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/slotcast/slotcast/topology"
)

// redirection is what a redirect looks like: its port stands behind the last colon, brackets are taken off, and the host
// has neither blanks nor control characters. It may be empty.
var redirection = regexp.MustCompile(
	`^(MOVED|ASK) ([0-9]{1,5}) (?:\[([^\[\]\x00-\x20\x7f]+)\]|([^\[\]\x00-\x20\x7f]*)):([0-9]{1,5})$`)

// FuzzParseRedirect parses any line.
//
//   - Nothing panics, and exactly the lines that look like a redirect, with a slot and a port that exist, are taken.
//   - What is taken has the numbers and the host of the line.
//   - String can be parsed and gives the same.
//   - Addr leads to a host and a port, never to an unknown host.
func FuzzParseRedirect(f *testing.F) {
	for _, line := range []string{
		"MOVED 3999 127.0.0.1:6381", "ASK 0 127.0.0.1:6381", "MOVED 16383 node-1.example.com:65535", "MOVED 449 :27100",
		"MOVED 449 ?:27100", "MOVED 4844 2a01:4f8:0:1::1:4:6379", "ASK 4844 [2a01:4f8:0:1::1:4]:6379", "MOVED 1 ::1:6379",
		"", "M", "MOVED", "MOVED ", "MOVED x y", "MOVED 3999", "MOVED 3999 ", "MOVED 3999 127.0.0.1", "MOVED 3999 127.0.0.1:",
		"MOVED 3999 127.0.0.1:0", "MOVED 3999 127.0.0.1:70000", "MOVED 3999 127.0.0.1:-1", "MOVED 3999 127.0.0.1:+1",
		"MOVED 3999 127.0.0.1:6379 ", "MOVED  3999 127.0.0.1:6379", "MOVED 16384 127.0.0.1:6379", "MOVED -1 127.0.0.1:6379",
		"MOVED 99999999999999999999 h:1", "MOVED 3999 127.0.0.1:00000000000006379", "MOVED 1e3 h:1", " MOVED 3999 h:1",
		"moved 3999 h:1", "MOVED 1 []:1", "MOVED 1 [::1:1", "MOVED 1 ::1]:1", "MOVED 1 [[::1]]:1", "MOVED 1 a\x00b:1",
		"ASKING 1 h:1", "ERR unknown", "TRYAGAIN Multiple keys request during rehashing of slot", "ASK 1 [a]:1", "ASK 00001 h:00001",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got, ok := topology.ParseRedirect([]byte(line))
		want, wanted := naiveRedirect(line)
		if ok != wanted || got != want {
			t.Fatalf("%q: %+v, %v, want %+v, %v", line, got, ok, want, wanted)
		}
		if !ok {
			return
		}
		if again, ok := topology.ParseRedirect([]byte(got.String())); !ok || again != got {
			t.Fatalf("%q: %+v, %v by way of %q", line, again, ok, got)
		}
		for _, from := range ways {
			if addr, known := got.Addr(from); known {
				checkAddr(t, addr)
			} else if got.Host != "?" && (got.Host != "" || from.Host != "") {
				t.Fatalf("%q leads nowhere from %+v", line, from)
			}
		}
	})
}

// FuzzRedirectString makes a line of any redirect that is well formed. It parses to that redirect, with brackets around an
// IPv6 host and without.
func FuzzRedirectString(f *testing.F) {
	f.Add(false, uint16(3999), "127.0.0.1", uint16(6381))
	f.Add(true, uint16(0), "2a01:4f8:0:1::1:4", uint16(65535))
	f.Add(false, uint16(16383), "", uint16(1))
	f.Add(true, uint16(449), "?", uint16(27100))
	f.Fuzz(func(t *testing.T, ask bool, slot uint16, host string, port uint16) {
		if slot > 16383 || port == 0 || strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '[' || r == ']' }) {
			return
		}
		want := topology.Redirect{Ask: ask, Slot: slot, Host: host, Port: int(port)}
		code := "MOVED "
		if ask {
			code = "ASK "
		}
		for _, line := range []string{want.String(), code + strconv.Itoa(int(slot)) + " " + host + ":" + strconv.Itoa(int(port))} {
			if got, ok := topology.ParseRedirect([]byte(line)); !ok || got != want {
				t.Fatalf("%q: %+v, %v, want %+v", line, got, ok, want)
			}
		}
	})
}

func naiveRedirect(line string) (topology.Redirect, bool) {
	parts := redirection.FindStringSubmatch(line)
	if parts == nil {
		return topology.Redirect{}, false
	}
	slot, _ := strconv.Atoi(parts[2])
	port, _ := strconv.Atoi(parts[5])
	if slot > 16383 || port < 1 || port > 65535 {
		return topology.Redirect{}, false
	}
	return topology.Redirect{Ask: parts[1] == "ASK", Slot: uint16(slot), Host: parts[3] + parts[4], Port: port}, true
}
