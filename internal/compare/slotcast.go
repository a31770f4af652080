package main

import (
	"context"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/routecache"
)

// openCache opens this library with its default configuration, but for patience, and a meter or recorder as the dialer.
func openCache(ctx context.Context, addrs []string, tags, maxSetKeys int, dial dialFunc) (*routecache.Cache, error) {
	return routecache.Open(ctx, routecache.Config{
		Addrs: addrs,
		Tags:  tags,
		Batch: batch.Config{MaxSetKeys: maxSetKeys, Conn: conn.Config{Dial: dial, Timeout: patience}},
	})
}

// slotcastContenders are this library.
func slotcastContenders(cache *routecache.Cache, m *meter, get, set *question) []*contender {
	return []*contender{
		{client: "slotcast", name: "Get", tagged: true, meter: m,
			worker: plain(func(ctx context.Context, out []routecache.Answer) error {
				return cache.Get(ctx, get.pairs, out)
			})},
		slotcastSet(cache, m, set, false),
	}
}

func slotcastSet(cache *routecache.Cache, m *meter, set *question, singly bool) *contender {
	name := "Set"
	if singly {
		name = "Set, MaxSetKeys 1"
	}
	return &contender{client: "slotcast", name: name, set: true, tagged: true, singly: singly, meter: m,
		worker: plain(func(ctx context.Context, _ []routecache.Answer) error {
			return cache.Set(ctx, set.pairs, set.estimates, ttlSeconds*time.Second)
		})}
}
