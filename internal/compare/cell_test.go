package main

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCells(t *testing.T) {
	list := cells(baseCell)
	assert.Equal(t, baseCell, list[0])
	seen := map[cell]bool{}
	changes := 0
	for i, c := range list {
		assert.False(t, seen[c], "twice: %v", c)
		seen[c] = true
		if i > 0 && list[i-1].Primaries != c.Primaries {
			changes++
		}
	}
	assert.Equal(t, 1, changes, "clusters started besides the first")
	for _, want := range []func(*cell){
		func(c *cell) { c.Pairs = 300_000 },
		func(c *cell) { c.Primaries = 12 },
		func(c *cell) { c.Tags = 64 },
		func(c *cell) { c.Hits = 0 },
		func(c *cell) { c.Concurrent = 16 },
		func(c *cell) { c.Built = true },
		func(c *cell) { c.Cancel = true },
	} {
		c := baseCell
		want(&c)
		assert.True(t, seen[c], "missing: %v", c)
	}
}

func TestParseArgs(t *testing.T) {
	o, err := parseArgs([]string{"-quick"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, []cell{baseCell}, o.cells)

	o, err = parseArgs([]string{"-quick", "-pairs", "500", "-build-keys", "-contenders", "limit|slotcast"}, io.Discard)
	require.NoError(t, err)
	want := baseCell
	want.Pairs, want.Built = 500, true
	assert.Equal(t, []cell{want}, o.cells)
	assert.True(t, o.only.MatchString("slotcast Get"))
	assert.False(t, o.only.MatchString("radix MGETs at once"))

	for _, args := range [][]string{{"-pairs", "0"}, {"-hits", "101"}, {"-contenders", "("}, {"surplus"}, {"-nothing"}} {
		_, err := parseArgs(args, io.Discard)
		assert.Error(t, err, args)
	}
}
