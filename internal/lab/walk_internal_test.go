package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/topology"
)

func TestWalk(t *testing.T) {
	t.Run("the mission's example", func(t *testing.T) {
		assert.Equal(t, `{"tried":28,"skipped":8,"anchors":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,23,27],"per_primary":[4,4,4,4,4]}`+"\n",
			ok(t, "walk", "-primaries", "5", "-tags", "4", "-json"))
	})
	t.Run("its text", func(t *testing.T) {
		text := ok(t, "walk", "-primaries", "5")
		assert.Contains(t, text, "primary 2   kept 1 5 9 13; skipped 22 26")
		assert.Contains(t, text, "13108–16383")
		assert.Contains(t, text, "28 tried, 8 skipped, 20 kept.")
	})
	t.Run("every step is accounted for", func(t *testing.T) {
		x := defaults(newWalk())
		x.primaries = 7
		v, err := x.run(t.Context(), nil)
		require.NoError(t, err)
		r := v.(*walkResult)
		kept := 0
		for n, s := range r.Steps {
			assert.Equal(t, n, s.N)
			assert.True(t, r.Primaries[s.Primary].owns(s.Slot))
			if s.Kept {
				kept++
			}
		}
		assert.Equal(t, r.Sum.Tried, len(r.Steps))
		assert.Equal(t, len(r.Sum.Anchors), kept)
		assert.Equal(t, r.Sum.Skipped, len(r.Steps)-kept)
	})
	t.Run("another template has other anchors", func(t *testing.T) {
		var a, b walkSum
		require.NoError(t, json.Unmarshal([]byte(ok(t, "walk", "-primaries", "3", "-json")), &a))
		require.NoError(t, json.Unmarshal([]byte(ok(t, "walk", "-primaries", "3", "-json", "-template", "x:%d")), &b))
		assert.NotEqual(t, a, b)
		assert.Equal(t, a.PerPrimary, b.PerPrimary)
	})
}

func TestPositionInSlots(t *testing.T) {
	p := walkPrimary{"p", []topology.Range{{Start: 0, End: 100}, {Start: 1000, End: 1100}}}
	assert.Equal(t, 0.0, p.position(0))
	assert.Equal(t, 0.25, p.position(50))
	assert.Equal(t, 0.5, p.position(1000))
	assert.Equal(t, "200 slots in 2 ranges", p.span())
}

func TestRuns(t *testing.T) {
	assert.Equal(t, "0–17, 23 and 27", runs([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 23, 27}))
	assert.Equal(t, "0, 1 and 3", runs([]int{0, 1, 3}))
	assert.Equal(t, "5", runs([]int{5}))
}
