package routecache

import "sync/atomic"

// Stats are counts of pairs since Open.
type Stats struct {
	Hits, Misses, Failed int64 // answers of Get, duplicates counted each
	Corrupt              int64 // of the misses: values that are not estimates
	OldHits              int64 // of the hits: found under the anchor of a former shape of the cluster
	Sets                 int64 // pairs given to Set
	Walks                int64 // since the cluster's shape changed
}

type counters struct {
	hits, misses, failed, corrupt, oldHits, sets, walks atomic.Int64
}

// Stats counts what happened since Open. Those of the cluster client are Client().Stats().
func (c *Cache) Stats() Stats {
	return Stats{
		Hits: c.counts.hits.Load(), Misses: c.counts.misses.Load(), Failed: c.counts.failed.Load(),
		Corrupt: c.counts.corrupt.Load(), OldHits: c.counts.oldHits.Load(),
		Sets: c.counts.sets.Load(), Walks: c.counts.walks.Load(),
	}
}
