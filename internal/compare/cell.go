package main

import "fmt"

// A cell is one setting of everything that is varied.
type cell struct {
	Pairs      int  `json:"pairs"`      // per batch
	Primaries  int  `json:"primaries"`  // of the cluster
	Tags       int  `json:"tags"`       // hash tags per primary
	Hits       int  `json:"hits"`       // per cent of the pairs that are in the cache
	Concurrent int  `json:"concurrent"` // batches at a time
	Built      bool `json:"keys_built"` // peers make their keys from the pairs in every batch
	Cancel     bool `json:"cancel"`     // the context can be cancelled; else it is context.Background
}

func (c cell) String() string {
	text := fmt.Sprintf("pairs=%d primaries=%d tags=%d hits=%d%% concurrent=%d",
		c.Pairs, c.Primaries, c.Tags, c.Hits, c.Concurrent)
	if c.Built {
		text += " keys=built"
	}
	if c.Cancel {
		text += " context=cancellable"
	}
	return text
}

// baseCell is what the README quotes, and what all other cells differ from in one respect.
var baseCell = cell{Pairs: 3000, Primaries: 3, Tags: 1, Hits: 80, Concurrent: 1}

// cells varies the base in one respect at a time. Cells of one number of primaries are neighbours: they share a cluster.
func cells(base cell) []cell {
	list := []cell{base}
	add := func(change func(*cell)) {
		c := base
		change(&c)
		for _, known := range list {
			if c == known {
				return
			}
		}
		list = append(list, c)
	}
	for _, n := range []int{100, 1000, 3000, 30_000, 300_000} {
		add(func(c *cell) { c.Pairs = n })
	}
	for _, n := range []int{1, 4, 16, 64} {
		add(func(c *cell) { c.Tags = n })
	}
	for _, n := range []int{0, 80, 100} {
		add(func(c *cell) { c.Hits = n })
	}
	for _, n := range []int{1, 16} {
		add(func(c *cell) { c.Concurrent = n })
	}
	add(func(c *cell) { c.Built = !c.Built })
	add(func(c *cell) { c.Cancel = !c.Cancel })
	for _, n := range []int{3, 12} {
		add(func(c *cell) { c.Primaries = n })
	}
	return list
}
