package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestVerdicts turns numbers around and requires that the page says so.
func TestVerdicts(t *testing.T) {
	costs := func(set, mset, script float64) []cost {
		return []cost{
			{Name: "SET EX, a pipeline per primary", Commands: []int{300}, Wall: set, BytesOut: 2},
			{Name: "MSET, then EXPIRE per key", Commands: []int{301}, Wall: mset, BytesOut: 3},
			{Name: "EVALSHA, by the library", Commands: []int{1}, Wall: script, BytesOut: 1},
		}
	}
	crashes := func(mset, script int) []crash {
		return []crash{{Way: "SET EX, a pipeline", Keys: 300}, {Way: "MSET, then EXPIRE per key", Keys: 300, There: 300, Stranded: mset}, {Way: "a script", Keys: 300, Stranded: script}}
	}
	hot := func(fine, coarse []int) *hotspotResult {
		tag := func(origin int, keys []int) hotspotTag {
			return hotspotTag{Origin: origin, Keys: keys, cost: cost{Commands: []int{1}, ServerCPU: []float64{1, 1}}}
		}
		return &hotspotResult{Keys: 100, Tags: []hotspotTag{tag(0, []int{50, 50}), tag(9, fine), tag(6, coarse)}}
	}
	dials := func(raw, coarse float64) *dialResult {
		return &dialResult{Settings: []dialSetting{{Resolution: -1, HitRate: raw}, {Resolution: 6, HitRate: coarse}, {Resolution: 7, HitRate: coarse / 2}}}
	}
	codecs := func(allocs, csvNS float64) *codecResult {
		return &codecResult{Codecs: []codecCost{{Bytes: 1, DecodeNS: csvNS, DecodeAllocs: allocs}, {Bytes: 2, DecodeNS: 100, DecodeAllocs: 5}, {}}}
	}
	fan := func(chunked, grouped float64) *fanoutResult {
		ways := []fanoutCost{{}, {}, {cost: cost{Wall: chunked, Commands: []int{16}}}, {cost: cost{Wall: grouped, Commands: []int{3}}}, {cost: cost{Commands: []int{3}}}}
		for i := range ways {
			ways[i].Spans = []span{{To: 1}}
		}
		return &fanoutResult{Keys: 24, Untagged: 24, PerSlot: 24, Chunked: 16, Grouped: 3, Ways: ways, Nodes: []string{"a"}}
	}
	for _, test := range []struct {
		name   string
		result result
		claim  int
		want   holds
	}{
		{"a script that is fastest", &writeResult{Ways: costs(30, 40, 20), Crashes: crashes(300, 0)}, 5, yes},
		{"a script that is slower, as facts say", &writeResult{Ways: costs(20, 30, 40), Crashes: crashes(300, 0)}, 5, partly},
		{"a script that strands keys", &writeResult{Ways: costs(30, 40, 20), Crashes: crashes(300, 1)}, 5, no},
		{"MSET that strands none", &writeResult{Ways: costs(30, 40, 20), Crashes: crashes(0, 0)}, 5, no},
		{"a fine tag that is hot", hot([]int{80, 20}, []int{90, 10}), 3, yes},
		{"only a coarse tag is hot", hot([]int{52, 48}, []int{90, 10}), 3, partly},
		{"no tag is hot", hot([]int{52, 48}, []int{48, 52}), 3, no},
		{"raw coordinates never hit", dials(0.01, 0.9), 1, yes},
		{"raw coordinates hit at times", dials(0.2, 0.9), 1, partly},
		{"raw coordinates hit best", dials(0.9, 0.9), 1, no},
		{"CSV that allocates", codecs(1, 20), 6, no},
		{"CSV that is slower", codecs(0, 200), 6, no},
		{"CSV as promised", codecs(0, 20), 6, yes},
		{"chunks that are slower", fan(40, 10), 4, yes},
		{"chunks that are faster", fan(10, 40), 4, no},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := false
			for _, v := range test.result.section().Verdicts {
				if v.Claim == test.claim {
					found = true
					assert.Equal(t, test.want, v.Holds, v.Why)
				}
			}
			assert.True(t, found)
		})
	}
}

func TestFaster(t *testing.T) {
	assert.Equal(t, "50 % faster", faster(5, 10))
	assert.Equal(t, "100 % slower", faster(20, 10))
	assert.Equal(t, "about as fast", faster(10.1, 10))
}

func TestFigures(t *testing.T) {
	for want, v := range map[string]float64{"0": 0, "0.587": 0.5871, "1.07": 1.0749, "35.7": 35.71, "34": 34.0, "1,584": 1584.2, "12,000": 11999.9} {
		assert.Equal(t, want, figures(v))
	}
}
