package topology_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/topology"
)

func TestDecodeSlots(t *testing.T) {
	a := array(bulk("ha"), number(1), bulk("a"))
	b := array(bulk("hb"), number(2), bulk("b"), array())
	c := array(bulk("hc"), number(3), bulk("c"), dict(), bulk("more"))
	reply := array(
		array(number(0), number(99), a, b),
		array(number(200), number(299), c),
		array(number(100), number(199), a, b, array(bulk("hd"), number(4), bulk("d"))),
	)
	t.Run("C7 nodes of three, four and five elements", func(t *testing.T) {
		shards, err := topology.DecodeSlots(reply, topology.Asked{})
		require.NoError(t, err)
		want := []topology.Shard{
			{
				Primary:  topology.Node{ID: "a", Addr: "ha:1"},
				Replicas: []topology.Node{{ID: "b", Addr: "hb:2"}, {ID: "d", Addr: "hd:4"}},
				Slots:    ranges(0, 100, 100, 200),
			},
			{Primary: topology.Node{ID: "c", Addr: "hc:3"}, Slots: ranges(200, 300)},
		}
		if diff := cmp.Diff(want, shards); diff != "" {
			t.Error(diff)
		}
	})
}

func TestDecodeSlotsWithoutIDs(t *testing.T) {
	a, b := array(bulk("h"), number(1)), array(bulk("h"), number(2))
	t.Run("C7 nodes of two elements", func(t *testing.T) {
		shards, err := topology.DecodeSlots(array(array(number(0), number(5), a, b), array(number(6), number(9), b),
			array(number(10), number(10), a)), topology.Asked{})
		require.NoError(t, err)
		want := []topology.Shard{
			{Primary: topology.Node{Addr: "h:1"}, Replicas: []topology.Node{{Addr: "h:2"}}, Slots: ranges(0, 6, 10, 11)},
			{Primary: topology.Node{Addr: "h:2"}, Slots: ranges(6, 10)},
		}
		if diff := cmp.Diff(want, shards); diff != "" {
			t.Error(diff)
		}
	})
}

func TestDecodeSlotsAddresses(t *testing.T) {
	meta := func(fields ...string) resp.Value {
		m := array()
		for _, f := range fields {
			m.Elems = append(m.Elems, bulk(f))
		}
		return m
	}
	from := topology.Asked{Host: "asked.example.com"}
	for _, tt := range []struct {
		name string
		host resp.Value
		port resp.Value
		meta resp.Value
		want string
	}{
		{"host", bulk("10.0.0.1"), number(6379), dict(), "10.0.0.1:6379"},
		{"C8 null host", null(), number(7001), meta("ip", "10.0.0.1"), "asked.example.com:7001"},
		{"C8 empty host", bulk(""), number(7001), meta("ip", "10.0.0.1"), "asked.example.com:7001"},
		{"C8 unknown host, hostname in a flat array", bulk("?"), number(7001), meta("ip", "10.0.0.1", "hostname", "node1"), "node1:7001"},
		{"C8 unknown host, hostname in a map", bulk("?"), number(7001), dict(bulk("hostname"), bulk("node1")), "node1:7001"},
		{"C8 unknown host, ip", bulk("?"), number(7001), meta("ip", "10.0.0.1"), "10.0.0.1:7001"},
		{"C10 unknown host, empty hostname", bulk("?"), number(7001), meta("hostname", "", "ip", "10.0.0.1"), "10.0.0.1:7001"},
		{"C8 unknown host, nothing else", bulk("?"), number(7001), array(), ""},
		{"C8 unknown host, metadata nobody knows", bulk("?"), number(7001), number(3), ""},
		{"C9 the host wins over other names", bulk("outside"), number(7001), meta("ip", "127.0.0.1", "hostname", "inside"), "outside:7001"},
		{"C11 port as text", bulk("h"), bulk("7001"), dict(), "h:7001"},
		{"C11 port too high", bulk("h"), number(65536), dict(), ""},
		{"C12 a host with a blank", bulk("h 1"), number(1), dict(), ""},
		{"C12 a bracket alone", bulk("["), number(1), dict(), ""},
		{"C12 neither host nor port", bulk(""), number(0), dict(), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reply := array(
				array(number(0), number(99), array(tt.host, tt.port, bulk("a"), tt.meta)),
				array(number(100), number(16383), array(bulk("z"), number(1), bulk("z"))))
			shards, err := topology.DecodeSlots(reply, from)
			require.NoError(t, err)
			if tt.want == "" {
				require.Len(t, shards, 1)
				assert.Equal(t, 16284, newMap(t, shards...).Covered())
				return
			}
			require.Len(t, shards, 2)
			assert.Equal(t, tt.want, shards[0].Primary.Addr)
		})
	}
}

// A replica that cannot be used costs nothing but itself.
func TestDecodeSlotsUnusableReplica(t *testing.T) {
	reply := array(array(number(0), number(16383), array(bulk("h"), number(1), bulk("a")), array(bulk("?"), number(2), bulk("b"))))
	shards, err := topology.DecodeSlots(reply, topology.Asked{})
	require.NoError(t, err)
	assert.Equal(t, []topology.Shard{{Primary: topology.Node{ID: "a", Addr: "h:1"}, Slots: ranges(0, 16384)}}, shards)
}

func TestDecodeSlotsMalformed(t *testing.T) {
	for _, tt := range []struct{ name, wire, want string }{
		{"C24 error reply", "-ERR no\r\n", "ERR no"},
		{"C24 null", "$-1\r\n", "not an array"},
		{"C24 range is a number", "*1\r\n:5\r\n", "a slot range is"},
		{"C24 range of one element", "*1\r\n*1\r\n:5\r\n", "a slot range of 1 elements"},
		{"C1 slots are text", "*1\r\n*2\r\n+a\r\n+b\r\n", "not a 64-bit integer"},
		{"C1 slot too high", "*1\r\n*2\r\n:0\r\n:16384\r\n", "no slots from 0 to 16384"},
		{"C24 node is text", "*1\r\n*3\r\n:0\r\n:1\r\n+node\r\n", "a node of a slot range is"},
		{"C7 node of one element", "*1\r\n*3\r\n:0\r\n:1\r\n*1\r\n+h\r\n", "a node of a slot range of 1 elements"},
		{"C12 nothing usable", "*1\r\n*3\r\n:0\r\n:1\r\n*2\r\n+?\r\n:1\r\n", `no usable address in host "?"`},
		{"C6 range without nodes", "*1\r\n*2\r\n:0\r\n:1\r\n", "slots from 0 left unassigned"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := topology.DecodeSlots(parse(t, tt.wire), topology.Asked{Host: "h"})
			assert.ErrorContains(t, err, tt.want)
		})
	}
}
