package main

import (
	"context"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/routecache"
)

// openCache opens this library with its default configuration, but for patience, and a meter or recorder as the dialer.
func openCache(ctx context.Context, addrs []string, tags int, dial dialFunc) (*routecache.Cache, error) {
	return routecache.Open(ctx, routecache.Config{
		Addrs: addrs,
		Tags:  tags,
		Batch: batch.Config{Conn: conn.Config{Dial: dial, Timeout: patience}},
	})
}

// slotcastContenders are this library.
func slotcastContenders(cache *routecache.Cache, m *meter, get, set *question) []*contender {
	return []*contender{
		{client: "slotcast", name: "Get", tagged: true, meter: m,
			worker: plain(func(ctx context.Context, out []routecache.Answer) error {
				return cache.Get(ctx, get.pairs, out)
			})},
		{client: "slotcast", name: "Set", set: true, tagged: true, meter: m,
			worker: plain(func(ctx context.Context, _ []routecache.Answer) error {
				return cache.Set(ctx, set.pairs, set.estimates, ttlSeconds*time.Second)
			})},
	}
}
