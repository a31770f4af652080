package fuzz_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/topology"
)

// FuzzDecodeShards decodes any tree as a reply to CLUSTER SHARDS.
//
//   - Nothing panics.
//   - NewMap refuses what was decoded, or makes a map of it that is consistent: see checkMap.
//   - The map, told as a server tells it, decodes to the same map.
//
// Found: primary_told_twice. The order of two shards with one primary and no slots depended on that of the reply.
func FuzzDecodeShards(f *testing.F) {
	for i, reply := range append(captured(f, "shards"), shardsSeeds...) {
		f.Add(appendTree(nil, reply), byte(i))
		f.Add(appendTree(nil, reply), byte(0))
	}
	f.Fuzz(func(t *testing.T, text []byte, way byte) {
		decode(t, tree(text), way, topology.DecodeShards, shardsReply)
	})
}

// FuzzDecodeSlots is FuzzDecodeShards for CLUSTER SLOTS.
//
// Found: host_of_a_bracket. Hosts were not looked at, and "[" made an address that no one can dial.
func FuzzDecodeSlots(f *testing.F) {
	for i, reply := range append(captured(f, "slots"), slotsSeeds...) {
		f.Add(appendTree(nil, reply), byte(i))
		f.Add(appendTree(nil, reply), byte(0))
	}
	f.Fuzz(func(t *testing.T, text []byte, way byte) {
		decode(t, tree(text), way, topology.DecodeSlots, slotsReply)
	})
}

func decode(
	t *testing.T, reply resp.Value, way byte,
	decode func(resp.Value, topology.Asked) ([]topology.Shard, error), tell func([]topology.Shard) resp.Value,
) {
	shards, err := decode(reply, ways[int(way)%len(ways)])
	if err != nil {
		return
	}
	m, err := topology.NewMap(shards)
	if err != nil {
		return
	}
	checkMap(t, m)
	shards, err = decode(tell(m.Shards()), topology.Asked{})
	if err != nil {
		t.Fatalf("%v, of what was decoded before: %+v", err, m.Shards())
	}
	again, err := topology.NewMap(shards)
	if err != nil {
		t.Fatalf("%v, of %+v", err, m.Shards())
	}
	if diff := cmp.Diff(m.Shards(), again.Shards(), cmpopts.EquateEmpty()); diff != "" {
		t.Fatal(diff)
	}
	if !m.Equal(again) || !m.SameShape(again) {
		t.Fatalf("the same map is not Equal: %+v", m.Shards())
	}
}

// ways are connections over which the reply may have come.
var ways = []topology.Asked{
	{Host: "asked.example.com", Port: 6379},
	{},
	{Host: "::1", Port: 6380, TLS: true},
	{Host: "10.0.0.1", MapAddr: func(host string, port int) (string, int) { return "nat.example.com", port ^ 1<<14 | 1 }},
}

// checkMap checks that the parts of a map agree: the table, the ranges, the count; that who has slots can be dialled; and
// that the order in which the shards are given does not matter.
func checkMap(t *testing.T, m *topology.Map) {
	t.Helper()
	var owners [crc16.SlotCount]uint16
	for slot := range owners {
		owners[slot] = topology.NoShard
	}
	covered := 0
	for i, s := range m.Shards() {
		end := -1
		for _, r := range s.Slots {
			if int(r.Start) <= end || r.Start >= r.End || r.End > crc16.SlotCount {
				t.Fatalf("shard %d has ranges %v", i, s.Slots)
			}
			end = int(r.End)
			for slot := r.Start; slot < r.End; slot++ {
				if owners[slot] != topology.NoShard {
					t.Fatalf("slot %d has two shards", slot)
				}
				owners[slot] = uint16(i)
				covered++
			}
		}
		if s.Primary.Addr != "" || len(s.Slots) > 0 {
			checkAddr(t, s.Primary.Addr)
		}
		for _, r := range s.Replicas {
			checkAddr(t, r.Addr)
		}
	}
	for slot, owner := range owners {
		if m.ShardOf(uint16(slot)) != owner {
			t.Fatalf("slot %d is of shard %d by the table, %d by the ranges", slot, m.ShardOf(uint16(slot)), owner)
		}
	}
	if m.Covered() != covered {
		t.Fatalf("%d slots covered, counted %d", m.Covered(), covered)
	}
	backwards := slices.Clone(m.Shards())
	slices.Reverse(backwards)
	if o, err := topology.NewMap(backwards); err != nil || !o.Equal(m) || !o.SameShape(m) {
		t.Fatalf("the map depends on the order of the shards: %v, %+v", err, m.Shards())
	}
}

func checkAddr(t *testing.T, addr string) {
	t.Helper()
	host, port, err := net.SplitHostPort(addr)
	n, notNumber := strconv.Atoi(port)
	if err != nil || notNumber != nil || n < 1 || n > 65535 || host == "" || host == "?" {
		t.Fatalf("%q cannot be dialled", addr)
	}
}

// captured are replies of real servers, from the tests of package topology.
func captured(f *testing.F, command string) (replies []resp.Value) {
	files, err := filepath.Glob("../topology/testdata/*/" + command + ".resp*")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			f.Fatal(err)
		}
		v, err := resp.NewReader(file, resp.Limits{}).Value()
		if err != nil {
			f.Fatal(name, err)
		}
		_ = file.Close()
		replies = append(replies, v)
	}
	return replies
}
