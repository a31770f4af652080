package routecache

import "github.com/slotcast/slotcast/topology"

// Walk finds the anchors of a cluster: it tries the integers 0, 1, 2, …, hashes each one's tag, and keeps it if the primary
// that owns the tag's slot still has an open seat, until all are taken. A primary without slots has no seat, and a slot
// that nobody owns is passed over. The shards of the result are those of m.
//
// A primary with too few slots to fill its seats is a *WalkError that names it. A map in which nobody owns a slot, and
// seats that are none or more than MaxAnchors in all, are a *SeatsError.
func Walk(m *topology.Map, t Template, seats int) (*Anchors, error) {
	shards := m.Shards()
	open, owners := make([]int, len(shards)), 0
	for i := range shards {
		if len(shards[i].Slots) > 0 {
			open[i] = seats
			owners++
		}
	}
	if err := checkSeats(owners, seats); err != nil {
		return nil, err
	}
	a, err := walk(t, open, seats, m.ShardOf)
	if err != nil {
		primary := shards[err.Shard].Primary
		err.Primary = primary.Addr
		if primary.ID != "" {
			err.Primary += " (" + primary.ID + ")"
		}
		return nil, err
	}
	return a, nil
}
