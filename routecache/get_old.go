package routecache

import "context"

// getOld asks for the items that missed once more, under the anchor they had before the cluster's shape changed. What is
// found there is a hit; else the miss stands, since the owner of the key has answered.
func (c *Cache) getOld(ctx context.Context, g *get, old *Layout) {
	again := c.gets.Get(g.misses)
	defer func() { c.gets.Put(again, again.room()) }()
	again.out = g.out
	again.hits, again.misses, again.corrupt = 0, 0, 0
	again.layout, again.pairs = old, g.pairs
	again.first, again.anchor, again.again = again.first[:0], again.anchor[:0], again.again[:0]
	for k, i := range g.first {
		if g.out[i].State != Miss {
			continue
		}
		anchor := old.Anchor(g.pairs[i])
		if old.anchors.List[anchor].N == g.layout.anchors.List[g.anchor[k]].N {
			continue
		}
		again.first = append(again.first, i)
		again.anchor = append(again.anchor, uint16(anchor))
	}
	if len(again.first) > 0 {
		_ = c.client.Get(ctx, again) // the misses stand
		c.counts.oldHits.Add(int64(again.hits))
		g.hits, g.misses = g.hits+again.hits, g.misses-again.hits
	}
	again.out = nil
	again.release()
}
