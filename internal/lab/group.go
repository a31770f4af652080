package main

// A group is the items of one slot, by index.
type group struct {
	node    *node
	indexes []int
}

// groupAll groups all items by slot, and the groups by primary: those of node i of the cluster are at i.
func (c *cluster) groupAll(s *items) [][]group {
	return c.groups(s, 0, s.Len())
}

// groups groups the items from one index up to, but without, another. It is safe for concurrent use.
func (c *cluster) groups(s *items, from, to int) [][]group {
	type place struct{ node, index int }
	places := map[uint16]place{}
	all := make([][]group, len(c.nodes))
	for i := from; i < to; i++ {
		p, ok := places[s.slots[i]]
		if !ok {
			n := c.nodeAt(s.slots[i])
			p = place{n.index, len(all[n.index])}
			places[s.slots[i]] = p
			all[n.index] = append(all[n.index], group{node: n})
		}
		g := &all[p.node][p.index]
		g.indexes = append(g.indexes, i)
	}
	return all
}
