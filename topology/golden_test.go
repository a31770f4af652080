package topology_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/topology"
)

// The replies in testdata were captured from real servers: nodes at 127.0.0.1 ports 21000 and up, primaries first, the
// slots in equal shares. The node that answered was on the first port, where that one had failed on the second.
var captured = []struct {
	dir       string
	primaries []int // ports, by first slot, those without slots last
	replicas  []int // ports, by shard; 0 = none
	host      string
}{
	{"redis-7.0", []int{21000, 21001, 21002}, []int{21003, 21004, 21005}, "127.0.0.1"},
	{"redis-8.0", []int{21000, 21001, 21002}, []int{21003, 21004, 21005}, "127.0.0.1"},
	{"valkey-8", []int{21000, 21001, 21002}, []int{21003, 21004, 21005}, "127.0.0.1"},
	{"valkey-9", []int{21000, 21001, 21002}, []int{21003, 21004, 21005}, "127.0.0.1"},
	// C4: Redis 7.0 lists the failed primary as a shard of its own, later ones as a second master of its old shard.
	{"redis-7.0-primary-failed", []int{21003, 21001, 21002, 21000}, []int{0, 21004, 21005, 0}, "127.0.0.1"},
	{"redis-8.0-primary-failed", []int{21003, 21001, 21002}, []int{21000, 21004, 21005}, "127.0.0.1"},
	{"valkey-9-primary-failed", []int{21003, 21001, 21002}, []int{21000, 21004, 21005}, "127.0.0.1"},
	// C8: cluster-preferred-endpoint-type unknown-endpoint, and hostname without and with one. CLUSTER SLOTS does not
	// name replicas that have not received anything yet (C15).
	{"redis-7.0-unknown-endpoint", []int{21000}, []int{21001}, "asked.example.com"},
	{"redis-7.0-no-hostname", []int{21000}, []int{21001}, "127.0.0.1"},
	{"redis-7.0-hostname", []int{21000}, []int{21001}, "node%d.example.com"},
}

func TestCapturedReplies(t *testing.T) {
	from := topology.Asked{Host: "asked.example.com", Port: 21000}
	for _, tt := range captured {
		t.Run("C1 C4 C7 C8 C15 "+tt.dir, func(t *testing.T) {
			shards := func(proto string) *topology.Map {
				s, err := topology.DecodeShards(parse(t, readReply(t, tt.dir, "shards.resp"+proto)), from)
				require.NoError(t, err)
				return newMap(t, s...)
			}
			slots := func(proto string) *topology.Map {
				s, err := topology.DecodeSlots(parse(t, readReply(t, tt.dir, "slots.resp"+proto)), from)
				require.NoError(t, err)
				return newMap(t, s...)
			}
			m := shards("3")
			assert.Equal(t, 16384, m.Covered())
			if diff := cmp.Diff(m.Shards(), shards("2").Shards()); diff != "" {
				t.Error("RESP2 and RESP3 differ:", diff)
			}
			addr := func(port int) string {
				host := tt.host
				if strings.Contains(host, "%d") {
					host = fmt.Sprintf(host, port-21000)
				}
				return fmt.Sprintf("%s:%d", host, port)
			}
			require.Len(t, m.Shards(), len(tt.primaries))
			for i, s := range m.Shards() {
				assert.Len(t, s.Primary.ID, 40)
				assert.Equal(t, addr(tt.primaries[i]), s.Primary.Addr)
				if tt.replicas[i] == 0 {
					assert.Empty(t, s.Replicas)
					continue
				}
				require.Len(t, s.Replicas, 1)
				assert.Equal(t, addr(tt.replicas[i]), s.Replicas[0].Addr)
			}
			for _, proto := range []string{"2", "3"} {
				bySlots := slots(proto)
				assert.True(t, m.SameShape(bySlots), "CLUSTER SLOTS, RESP%s", proto)
				for i, s := range bySlots.Shards() {
					assert.Equal(t, m.Shards()[i].Primary.ID, s.Primary.ID)
					assert.Equal(t, m.Shards()[i].Primary.Addr, s.Primary.Addr)
				}
			}
		})
	}
}

func TestCapturedZones(t *testing.T) {
	shards, err := topology.DecodeShards(parse(t, readReply(t, "valkey-9", "shards.resp3")), topology.Asked{})
	require.NoError(t, err)
	first := newMap(t, shards...).Shards()[0]
	t.Run("C7 shard id after the nodes, zones", func(t *testing.T) {
		assert.Len(t, first.ID, 40)
		assert.Equal(t, "zone-a", first.Primary.AvailabilityZone)
		assert.Equal(t, "zone-b", first.Replicas[0].AvailabilityZone)
	})
}

func readReply(t testing.TB, dir, file string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", dir, file))
	require.NoError(t, err)
	return string(b)
}
