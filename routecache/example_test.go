package routecache_test

import (
	"context"
	"fmt"
	"time"

	"github.com/slotcast/slotcast/routecache"
)

func Example() {
	ctx := context.Background()
	cache, err := routecache.Open(ctx, routecache.Config{Addrs: []string{"127.0.0.1:7000"}})
	if err != nil {
		panic(err)
	}
	defer cache.Close()
	pair, _ := cache.Pair(routecache.LatLng{Lat: 52.52, Lng: 13.405}, routecache.LatLng{Lat: 52.50, Lng: 13.45})
	pairs, out := []routecache.Pair{pair}, make([]routecache.Answer, 1)
	if err = cache.Get(ctx, pairs, out); err == nil && out[0].State == routecache.Miss { // out[i] answers pairs[i]
		err = cache.Set(ctx, pairs, []routecache.Estimate{{Seconds: 412.3, Metres: 5120.7}}, time.Hour)
	}
	fmt.Println(out[0], err)
}
