package topology_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/topology"
)

// nodeFields makes a node of CLUSTER SHARDS from text such as "id=a port=6379 endpoint=h role=master health=online". An
// empty value is an empty string, "-" a null.
func nodeFields(text string) resp.Value {
	n := dict()
	for _, field := range strings.Fields(text) {
		k, v, _ := strings.Cut(field, "=")
		value := bulk(v)
		if i, err := strconv.Atoi(v); err == nil {
			value = number(i)
		}
		if v == "-" {
			value = null()
		}
		n.Elems = append(n.Elems, bulk(k), value)
	}
	return n
}

// shard makes a shard of CLUSTER SHARDS. slots are inclusive ends.
func shard(slots []int, nodes ...string) resp.Value {
	ends, list := array(), array()
	for _, s := range slots {
		ends.Elems = append(ends.Elems, number(s))
	}
	for _, n := range nodes {
		list.Elems = append(list.Elems, nodeFields(n))
	}
	return dict(bulk("slots"), ends, bulk("nodes"), list)
}

var allSlots = []int{0, 16383}

// A primary's address, from what a node says about its place.
func TestDecodeShardsAddresses(t *testing.T) {
	plain := topology.Asked{Host: "asked.example.com", Port: 6379}
	tls := topology.Asked{Host: "asked.example.com", Port: 6380, TLS: true}
	nat := topology.Asked{Host: "asked.example.com", MapAddr: func(host string, port int) (string, int) { return "nat-" + host, port + 1 }}
	for _, tt := range []struct {
		name string
		from topology.Asked
		node string
		want string // "" = no usable address
	}{
		{"endpoint", plain, "port=6379 ip=10.0.0.1 endpoint=10.0.0.1", "10.0.0.1:6379"},
		{"IPv6 endpoint", plain, "port=6379 ip=::1 endpoint=::1", "[::1]:6379"},
		{"C8 empty endpoint is the host that was asked", plain, "port=7001 ip=10.0.0.1 endpoint=", "asked.example.com:7001"},
		{"C8 null endpoint is the host that was asked", plain, "port=7001 ip=10.0.0.1 endpoint=-", "asked.example.com:7001"},
		{"C8 unknown endpoint, hostname known", plain, "port=7001 ip=10.0.0.1 endpoint=? hostname=node1", "node1:7001"},
		{"C8 unknown endpoint, ip known", plain, "port=7001 ip=10.0.0.1 endpoint=?", "10.0.0.1:7001"},
		{"C8 unknown endpoint, hostname unknown too", plain, "port=7001 ip=10.0.0.1 endpoint=? hostname=?", "10.0.0.1:7001"},
		{"C8 nothing known", plain, "port=7001 endpoint=?", ""},
		{"C8 empty endpoint, host that was asked unknown", topology.Asked{}, "port=6379 ip=10.0.0.1 endpoint=", ""},
		{"C9 the endpoint wins over an internal ip", plain, "port=6379 ip=127.0.0.1 endpoint=cache.example.com", "cache.example.com:6379"},
		{"C9 the endpoint wins over the hostname", plain, "port=6379 ip=127.0.0.1 endpoint=10.0.0.1 hostname=internal", "10.0.0.1:6379"},
		{"C9 no endpoint: the hostname wins over the ip", plain, "port=6379 ip=10.0.0.1 hostname=node1", "node1:6379"},
		{"C10 an empty hostname is none", plain, "port=6379 ip=10.0.0.1 hostname=", "10.0.0.1:6379"},
		{"C10 an empty hostname is none, unknown endpoint", plain, "port=6379 ip=10.0.0.1 endpoint=? hostname=", "10.0.0.1:6379"},
		{"C11 the TLS port over TLS", tls, "port=6379 tls-port=6390 endpoint=h", "h:6390"},
		{"C11 the plain port without TLS", plain, "port=6379 tls-port=6390 endpoint=h", "h:6379"},
		{"C11 no TLS port over TLS", tls, "port=6379 endpoint=h", ""},
		{"C11 only a TLS port without TLS", plain, "tls-port=6390 endpoint=h", ""},
		{"C11 port 0", plain, "port=0 endpoint=h", ""},
		{"C11 port 65535", plain, "port=65535 endpoint=h", "h:65535"},
		{"C11 port 65536", plain, "port=65536 endpoint=h", ""},
		{"C11 negative port", plain, "port=-5 endpoint=h", ""},
		{"C11 port that is no number", plain, "port=http endpoint=h", ""},
		{"C12 neither host nor port", plain, "port=0 endpoint= ip=", ""},
		{"C12 brackets around an IPv6 host", plain, "port=6379 endpoint=[::1]", "[::1]:6379"},
		{"C12 a bracket alone", plain, "port=6379 endpoint=[", ""},
		{"C12 a bracket in a host", plain, "port=6379 endpoint=h]", ""},
		{"C26 mapped", nat, "port=6379 endpoint=10.0.0.1", "nat-10.0.0.1:6380"},
		{"C26 mapped, host that was asked", nat, "port=6379 endpoint=", "nat-asked.example.com:6380"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// A second shard keeps the reply usable when the node under test is not.
			reply := array(
				shard([]int{0, 99}, "id=a role=master health=online "+tt.node),
				shard([]int{100, 16383}, "id=z role=master health=online port=1 tls-port=1 endpoint=z"))
			shards, err := topology.DecodeShards(reply, tt.from)
			require.NoError(t, err)
			m := newMap(t, shards...)
			if tt.want == "" {
				assert.Len(t, shards, 1)
				assert.Equal(t, 16284, m.Covered(), "its slots are unassigned")
				return
			}
			require.Len(t, shards, 2)
			assert.Equal(t, tt.want, shards[0].Primary.Addr)
			assert.Equal(t, "a", shards[0].Primary.ID)
		})
	}
}

func TestDecodeShardsPortAsText(t *testing.T) {
	node := dict(bulk("id"), bulk("a"), bulk("port"), bulk("6379"), bulk("endpoint"), bulk("h"), bulk("role"), bulk("master"))
	shards, err := topology.DecodeShards(array(dict(bulk("slots"), array(), bulk("nodes"), array(node))), topology.Asked{})
	require.NoError(t, err)
	assert.Equal(t, "h:6379", shards[0].Primary.Addr, "C11 string port")
}

func TestDecodeShardsSlots(t *testing.T) {
	const head, tail = "*1\r\n%2\r\n+slots\r\n", "+nodes\r\n*1\r\n%4\r\n+id\r\n+a\r\n+port\r\n:1\r\n+endpoint\r\n+h\r\n+role\r\n+master\r\n"
	for _, tt := range []struct {
		name, slots string
		want        []topology.Range
		err         string
	}{
		{name: "C1 integers", slots: "*2\r\n:0\r\n:16383\r\n", want: ranges(0, 16384)},
		{name: "C1 bulk strings", slots: "*2\r\n$1\r\n0\r\n$5\r\n16383\r\n", want: ranges(0, 16384)},
		{name: "C1 simple strings", slots: "*2\r\n+0\r\n+16383\r\n", want: ranges(0, 16384)},
		{name: "C1 both", slots: "*4\r\n:0\r\n$1\r\n5\r\n$1\r\n7\r\n:7\r\n", want: ranges(0, 6, 7, 8)},
		{name: "C1 set instead of array", slots: "~2\r\n:0\r\n:16383\r\n", want: ranges(0, 16384)},
		{name: "C13 none", slots: "*0\r\n"},
		{name: "C1 text", slots: "*2\r\n+a\r\n+b\r\n", err: "not a 64-bit integer"},
		{name: "C1 empty text", slots: "*2\r\n$0\r\n\r\n$0\r\n\r\n", err: "not a 64-bit integer"},
		{name: "C1 null", slots: "*2\r\n:0\r\n_\r\n", err: "end of a slot range"},
		{name: "C1 too high", slots: "*2\r\n:0\r\n:16384\r\n", err: "no slots from 0 to 16384"},
		{name: "C1 negative", slots: "*2\r\n:-1\r\n:5\r\n", err: "no slots from -1 to 5"},
		{name: "C1 start after end", slots: "*2\r\n:6\r\n:5\r\n", err: "no slots from 6 to 5"},
		{name: "C1 odd count", slots: "*3\r\n:0\r\n:5\r\n:6\r\n", err: "3 numbers are not pairs"},
		{name: "C1 no array", slots: ":0\r\n", err: "not an array"},
		{name: "C1 null array", slots: "*-1\r\n", err: "not an array"},
		{name: "C1 error inside", slots: "-ERR x\r\n", err: "ERR x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			shards, err := topology.DecodeShards(parse(t, head+tt.slots+tail), topology.Asked{})
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Len(t, shards, 1)
			if diff := cmp.Diff(newMap(t, topology.Shard{Primary: shards[0].Primary, Slots: tt.want}).Shards(), newMap(t, shards...).Shards()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecodeShardsRoles(t *testing.T) {
	for _, tt := range []struct {
		name     string
		nodes    []string
		primary  string // id; "" = the shard is left out
		replicas []string
		err      string
	}{
		{"primary and replicas", []string{"id=a role=master health=online", "id=b role=replica health=online", "id=c role=slave health=online"},
			"a", []string{"b", "c"}, ""},
		{"primary by its newer name", []string{"id=b role=replica health=online", "id=a role=primary health=online"}, "a", []string{"b"}, ""},
		{"C2 health fail", []string{"id=a role=master health=fail"}, "a", nil, ""},
		{"C2 health failed", []string{"id=a role=master health=failed"}, "a", nil, ""},
		{"C2 a health nobody has heard of", []string{"id=a role=master health=slot-migrating"}, "a", nil, ""},
		{"C2 no health", []string{"id=a role=master"}, "a", nil, ""},
		{"C4 a failed master first, then the promoted one", []string{"id=a role=master health=fail", "id=b role=master health=online"},
			"b", []string{"a"}, ""},
		{"C4 the promoted one first", []string{"id=b role=master health=online", "id=a role=master health=fail"}, "b", []string{"a"}, ""},
		{"C4 C5 two masters online", []string{"id=a role=master health=online", "id=b role=master health=online"}, "", nil, "several masters"},
		{"C4 two masters, none online", []string{"id=a role=master health=fail", "id=b role=master health=loading"}, "", nil, "several masters"},
		{"C6 no master", []string{"id=a role=replica health=online"}, "", nil, ""},
		{"C15 loading replicas", []string{"id=a role=master health=online", "id=b role=replica health=loading"}, "a", []string{"b"}, ""},
		{"C13 no nodes", nil, "", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for i := range tt.nodes {
				tt.nodes[i] += " port=1 endpoint=h" + strconv.Itoa(i)
			}
			reply := array(shard([]int{0, 99}, tt.nodes...), shard([]int{100, 16383}, "id=z role=master port=1 endpoint=z"))
			shards, err := topology.DecodeShards(reply, topology.Asked{})
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			covered := newMap(t, shards...).Covered()
			if tt.primary == "" {
				assert.Len(t, shards, 1)
				assert.Equal(t, 16284, covered)
				return
			}
			require.Len(t, shards, 2)
			assert.Equal(t, tt.primary, shards[0].Primary.ID)
			var replicas []string
			for _, r := range shards[0].Replicas {
				replicas = append(replicas, r.ID)
			}
			assert.Equal(t, tt.replicas, replicas)
			assert.Equal(t, 16384, covered)
		})
	}
}

func TestDecodeShardsUnknownFields(t *testing.T) {
	node := dict(
		bulk("availability-zone"), bulk("zone-a"), bulk("weather"), dict(bulk("rain"), array(number(1), null())),
		bulk("id"), bulk("a"), bulk("port"), number(1), bulk("endpoint"), bulk("h"), bulk("role"), bulk("master"),
		number(5), number(6), bulk("health"), bulk("online"), bulk("tls-port"), null())
	reply := array(dict(
		bulk("nodes"), array(node), bulk("mood"), array(array(array())), bulk("id"), bulk("shard-1"),
		bulk("slots"), array(number(0), number(16383))))
	t.Run("C7 any order, any type", func(t *testing.T) {
		shards, err := topology.DecodeShards(reply, topology.Asked{})
		require.NoError(t, err)
		want := []topology.Shard{{ID: "shard-1", Slots: ranges(0, 16384),
			Primary: topology.Node{ID: "a", Addr: "h:1", Health: "online", AvailabilityZone: "zone-a"}}}
		if diff := cmp.Diff(want, shards); diff != "" {
			t.Error(diff)
		}
	})
}

func TestDecodeShardsMalformed(t *testing.T) {
	for _, tt := range []struct{ name, wire, want string }{
		{"error reply", "-ERR unknown subcommand\r\n", "ERR unknown subcommand"},
		{"no array", "+OK\r\n", "not an array"},
		{"null", "*-1\r\n", "not an array"},
		{"shard is a number", "*1\r\n:5\r\n", "a shard"},
		{"shard is an odd array", "*1\r\n*3\r\n+slots\r\n*0\r\n+nodes\r\n", "a shard"},
		{"shard is an error", "*1\r\n-ERR no\r\n", "a shard"},
		{"nodes are text", "*1\r\n%1\r\n+nodes\r\n+none\r\n", "nodes of a shard"},
		{"node is text", "*1\r\n%1\r\n+nodes\r\n*1\r\n+none\r\n", "a node of a shard"},
	} {
		t.Run("C24 "+tt.name, func(t *testing.T) {
			_, err := topology.DecodeShards(parse(t, tt.wire), topology.Asked{})
			assert.ErrorContains(t, err, tt.want)
		})
	}
}

func TestDecodeShardsEmpty(t *testing.T) {
	t.Run("C13 zero shards", func(t *testing.T) {
		shards, err := topology.DecodeShards(array(), topology.Asked{})
		require.NoError(t, err)
		assert.Empty(t, shards)
	})
}

// When nothing can be used the error says why, rather than that there are no slots.
func TestDecodeShardsNothingUsable(t *testing.T) {
	_, err := topology.DecodeShards(array(shard(allSlots, "id=a role=master health=online tls-port=6390 endpoint=h")), topology.Asked{})
	assert.ErrorContains(t, err, `node "a" left out: no usable address in host "h", port 0`, "C11 explicit error")
}
