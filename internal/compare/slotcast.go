package main

import (
	"context"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/routecache"
)

// openCache opens this library with its default configuration, but for patience, and a recorder as the dialer or none.
func openCache(ctx context.Context, addrs []string, tags, maxSetKeys int, dial dialFunc) (*routecache.Cache, error) {
	return routecache.Open(ctx, routecache.Config{
		Addrs: addrs,
		Tags:  tags,
		Batch: batch.Config{MaxSetKeys: maxSetKeys, Conn: conn.Config{Dial: dial, Timeout: patience}},
	})
}

// poolTraffic is a cache's own account of its traffic. A meter would not do: around a TCP connection it would keep the
// library from using it as it does for users. That the bytes are those of the limit, which is metered, is tested.
type poolTraffic struct{ *routecache.Cache }

func (c poolTraffic) now() (t traffic) {
	for _, n := range c.Client().Stats().Nodes {
		t = t.plus(traffic{int64(n.Writes), int64(n.Reads), int64(n.BytesOut), int64(n.BytesIn)})
	}
	return t
}

// slotcastContenders are this library.
func slotcastContenders(cache *routecache.Cache, get, set *question) []*contender {
	return []*contender{
		{client: "slotcast", name: "Get", tagged: true, meter: poolTraffic{cache},
			worker: plain(func(ctx context.Context, out []routecache.Answer) error {
				return cache.Get(ctx, get.pairs, out)
			})},
		slotcastSet(cache, set, false),
	}
}

func slotcastSet(cache *routecache.Cache, set *question, singly bool) *contender {
	name := "Set"
	if singly {
		name = "Set, MaxSetKeys 1"
	}
	return &contender{client: "slotcast", name: name, set: true, tagged: true, singly: singly, meter: poolTraffic{cache},
		worker: plain(func(ctx context.Context, _ []routecache.Answer) error {
			return cache.Set(ctx, set.pairs, set.estimates, ttlSeconds*time.Second)
		})}
}
