package routecache_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/routecache"
	"github.com/slotcast/slotcast/topology"
)

func TestWalkExample(t *testing.T) {
	m := slotMap(t, []span{{0, 3277}}, []span{{3277, 6554}}, []span{{6554, 9831}},
		[]span{{9831, 13108}}, []span{{13108, 16384}})
	got, err := routecache.Walk(m, template(t, routecache.DefaultTemplate), 4)
	require.NoError(t, err)
	want, err := routecache.WalkFixed(5, template(t, routecache.DefaultTemplate), 4)
	require.NoError(t, err)
	assert.Equal(t, want, got, "the example's ranges are the five equal ones")
}

func TestWalkAgreesWithPlainWalk(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shards := range []int{1, 2, 3, 7, 50, 300} {
		for _, seats := range []int{1, 3, 16} {
			t.Run(fmt.Sprintf("%d shards, %d seats", shards, seats), func(t *testing.T) {
				m := slotMap(t, randomRanges(rng, shards)...)
				got, err := routecache.Walk(m, template(t, "a:%d:b"), seats)
				require.NoError(t, err)

				taken := make([]int, shards)
				want := &routecache.Anchors{Seats: taken}
				for n := 0; len(want.List) < shards*seats; n++ {
					want.Tried++
					slot := crc16.Slot(fmt.Sprintf("{a:%d:b}whatever", n))
					shard := m.ShardOf(slot)
					if shard == topology.NoShard || taken[shard] == seats {
						want.Skipped++
						continue
					}
					taken[shard]++
					want.List = append(want.List, routecache.Anchor{N: n, Slot: slot, Shard: shard})
				}
				assert.Equal(t, want, got)
			})
		}
	}
}

func TestWalkPassesOver(t *testing.T) {
	t.Run("primary without slots", func(t *testing.T) {
		m := slotMap(t, nil, []span{{0, 8192}}, nil, []span{{8192, 16384}})
		a, err := routecache.Walk(m, template(t, routecache.DefaultTemplate), 2)
		require.NoError(t, err)
		assert.Equal(t, []int{2, 2, 0, 0}, a.Seats)
	})
	t.Run("slots nobody owns", func(t *testing.T) {
		m := slotMap(t, []span{{100, 400}})
		a, err := routecache.Walk(m, template(t, routecache.DefaultTemplate), 2)
		require.NoError(t, err)
		assert.Equal(t, []int{2}, a.Seats)
		assert.Equal(t, a.Tried-2, a.Skipped)
		for _, x := range a.List {
			assert.True(t, x.Slot >= 100 && x.Slot < 400, "slot %d", x.Slot)
		}
	})
	t.Run("every slot of a cluster of two slots", func(t *testing.T) {
		m := slotMap(t, []span{{7, 8}}, []span{{16383, 16384}})
		a, err := routecache.Walk(m, template(t, routecache.DefaultTemplate), 1)
		require.NoError(t, err)
		assert.Equal(t, []int{1, 1}, a.Seats)
	})
}

func TestWalkErrors(t *testing.T) {
	two := slotMap(t, []span{{0, 1}}, []span{{1, 16384}})
	t.Run("too few slots", func(t *testing.T) {
		_, err := routecache.Walk(two, template(t, routecache.DefaultTemplate), 2000)
		var short *routecache.WalkError
		require.ErrorAs(t, err, &short)
		assert.Equal(t, 0, short.Shard)
		assert.Equal(t, "10.0.0.1:6379 (node0000)", short.Primary)
		assert.Equal(t, 2000, short.Seats)
		assert.Less(t, 0, short.Open)
		assert.Contains(t, err.Error(), "primary 10.0.0.1:6379 (node0000) owns too few slots")
	})
	tests := []struct {
		name  string
		m     *topology.Map
		seats int
		want  string
	}{
		{"no seats", two, 0, "there must be one at least"},
		{"negative seats", two, -3, "there must be one at least"},
		{"too many seats", two, 32768, "more than 65535 anchors"},
		{"no primaries", slotMap(t), 1, "no primary owns a slot"},
		{"no slots", slotMap(t, nil, nil), 1, "no primary owns a slot"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := routecache.Walk(tt.m, template(t, routecache.DefaultTemplate), tt.seats)
			var seats *routecache.SeatsError
			require.ErrorAs(t, err, &seats)
			assert.Contains(t, err.Error(), tt.want)
		})
	}
}

// span is the slots [start, end).
type span struct{ start, end uint16 }

// slotMap makes a map of shards that own the ranges, node0000 at 10.0.0.1 and so on.
func slotMap(t testing.TB, owned ...[]span) *topology.Map {
	t.Helper()
	shards := make([]topology.Shard, len(owned))
	for i, ranges := range owned {
		shards[i].Primary = topology.Node{ID: fmt.Sprintf("node%04d", i), Addr: fmt.Sprintf("10.0.%d.%d:6379", i/250, i%250+1)}
		for _, r := range ranges {
			shards[i].Slots = append(shards[i].Slots, topology.Range{Start: r.start, End: r.end})
		}
	}
	m, err := topology.NewMap(shards)
	require.NoError(t, err)
	return m
}

// randomRanges deals all slots out to shards in ranges of about 20 slots.
func randomRanges(rng *rand.Rand, shards int) [][]span {
	owned := make([][]span, shards)
	start := uint16(0)
	for i := 0; start < crc16.SlotCount; i++ {
		end := min(start+1+uint16(rng.IntN(40)), crc16.SlotCount)
		shard := i
		if i >= shards {
			shard = rng.IntN(shards)
		}
		owned[shard] = append(owned[shard], span{start, end})
		start = end
	}
	return owned
}

func BenchmarkWalk(b *testing.B) {
	for _, primaries := range []int{3, 100, 1000} {
		b.Run(fmt.Sprintf("primaries=%d", primaries), func(b *testing.B) {
			owned := make([][]span, primaries)
			for i := range owned {
				owned[i] = []span{{uint16(i * crc16.SlotCount / primaries), uint16((i + 1) * crc16.SlotCount / primaries)}}
			}
			m, tmpl := slotMap(b, owned...), template(b, routecache.DefaultTemplate)
			tried := 0
			for b.Loop() {
				a, err := routecache.Walk(m, tmpl, 1)
				if err != nil {
					b.Fatal(err)
				}
				tried = a.Tried
			}
			b.ReportMetric(float64(tried), "tried")
		})
	}
}
