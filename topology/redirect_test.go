package topology_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/topology"
)

func TestParseRedirect(t *testing.T) {
	from := topology.Asked{Host: "10.9.8.7", Port: 7000}
	for _, tt := range []struct {
		line string
		want topology.Redirect
		addr string // where it leads from 10.9.8.7; "" = nowhere
	}{
		{"MOVED 3999 127.0.0.1:6381", topology.Redirect{Slot: 3999, Host: "127.0.0.1", Port: 6381}, "127.0.0.1:6381"},
		{"ASK 0 127.0.0.1:6381", topology.Redirect{Ask: true, Host: "127.0.0.1", Port: 6381}, "127.0.0.1:6381"},
		{"MOVED 16383 node-1.example.com:65535", topology.Redirect{Slot: 16383, Host: "node-1.example.com", Port: 65535},
			"node-1.example.com:65535"},
		{"MOVED 449 :27100", topology.Redirect{Slot: 449, Port: 27100}, "10.9.8.7:27100"}, // D7
		{"ASK 449 :27100", topology.Redirect{Ask: true, Slot: 449, Port: 27100}, "10.9.8.7:27100"},
		{"MOVED 449 ?:27100", topology.Redirect{Slot: 449, Host: "?", Port: 27100}, ""}, // D8
		{"MOVED 4844 2a01:4f8:0:1::1:4:6379", topology.Redirect{Slot: 4844, Host: "2a01:4f8:0:1::1:4", Port: 6379},
			"[2a01:4f8:0:1::1:4]:6379"}, // D9
		{"ASK 4844 [2a01:4f8:0:1::1:4]:6379", topology.Redirect{Ask: true, Slot: 4844, Host: "2a01:4f8:0:1::1:4", Port: 6379},
			"[2a01:4f8:0:1::1:4]:6379"},
		{"MOVED 1 ::1:6379", topology.Redirect{Slot: 1, Host: "::1", Port: 6379}, "[::1]:6379"},
	} {
		t.Run("D7 D8 D9 "+tt.line, func(t *testing.T) {
			got, ok := topology.ParseRedirect([]byte(tt.line))
			require.True(t, ok)
			assert.Equal(t, tt.want, got)
			addr, ok := got.Addr(from)
			assert.Equal(t, tt.addr, addr)
			assert.Equal(t, tt.addr != "", ok)
			again, ok := topology.ParseRedirect([]byte(got.String()))
			assert.True(t, ok)
			assert.Equal(t, got, again, "String can be parsed")
		})
	}
}

func TestParseRedirectMalformed(t *testing.T) {
	for _, line := range []string{
		"", "M", "MOVED", "MOVED ", "MOVED x y", "MOVED 3999", "MOVED 3999 ", "MOVED 3999 127.0.0.1", "MOVED 3999 127.0.0.1:",
		"MOVED 3999 127.0.0.1:0", "MOVED 3999 127.0.0.1:70000", "MOVED 3999 127.0.0.1:65536", "MOVED 3999 127.0.0.1:-1",
		"MOVED 3999 127.0.0.1:+1", "MOVED 3999 127.0.0.1:6379 ", "MOVED 3999 127.0.0.1:6379 extra", "MOVED  3999 127.0.0.1:6379",
		"MOVED 3999  127.0.0.1:6379", "MOVED 16384 127.0.0.1:6379", "MOVED -1 127.0.0.1:6379", "MOVED 99999999999999999999 h:1",
		"MOVED 3999 127.0.0.1:00000000000006379", "MOVED 1e3 h:1", " MOVED 3999 h:1", "moved 3999 h:1", "MOVEDX 3999 h:1",
		"MOVED 1 []:1", "MOVED 1 [::1:1", "MOVED 1 ::1]:1", "MOVED 1 [[::1]]:1", "MOVED 1 a\x00b:1", "MOVED 1 a\tb:1",
		"ASK", "ASK 1", "ASK 16384 h:1", "ASKING 1 h:1", "ERR unknown", "TRYAGAIN Multiple keys request during rehashing of slot",
		strings.Repeat("MOVED ", 1000),
	} {
		t.Run("D9 "+line, func(t *testing.T) {
			got, ok := topology.ParseRedirect([]byte(line))
			assert.False(t, ok)
			assert.Zero(t, got)
		})
	}
}

func TestParseRedirectKeepsNoView(t *testing.T) {
	line := []byte("MOVED 3999 127.0.0.1:6381")
	r, ok := topology.ParseRedirect(line)
	require.True(t, ok)
	copy(line, "ASK xxxxxxxxxxxxxxxxxxxxxxxx")
	assert.Equal(t, "127.0.0.1", r.Host)
}

func TestRedirectMapAddr(t *testing.T) {
	nat := func(host string, port int) (string, int) {
		if host == "172.17.0.2" {
			return "nat.example.com", port + 10000
		}
		return host, port
	}
	from := topology.Asked{Host: "nat.example.com", MapAddr: nat}
	for line, want := range map[string]string{
		"MOVED 1 172.17.0.2:7001": "nat.example.com:17001",
		"ASK 1 172.17.0.2:7001":   "nat.example.com:17001",
		"MOVED 1 :7001":           "nat.example.com:7001",
	} {
		t.Run("C26 "+line, func(t *testing.T) {
			r, ok := topology.ParseRedirect([]byte(line))
			require.True(t, ok)
			addr, ok := r.Addr(from)
			assert.True(t, ok)
			assert.Equal(t, want, addr)
		})
	}
}

// Without a host from the server and without one from the connection there is nothing to dial, least of all ":6379".
func TestRedirectWithoutAnyHost(t *testing.T) {
	r, ok := topology.ParseRedirect([]byte("MOVED 1 :6379"))
	require.True(t, ok)
	_, ok = r.Addr(topology.Asked{})
	assert.False(t, ok)
	_, ok = topology.Redirect{Host: "h", Port: 65536}.Addr(topology.Asked{})
	assert.False(t, ok)
}
