package otelslotcast_test

import (
	"context"
	"log"

	"go.opentelemetry.io/otel"

	"github.com/slotcast/slotcast/otelslotcast"
	"github.com/slotcast/slotcast/routecache"
)

func Example() {
	meters, err := otelslotcast.New(otel.GetMeterProvider())
	if err != nil {
		log.Fatal(err)
	}
	config := routecache.Config{Addrs: []string{"127.0.0.1:7000"}}
	config.Batch.Trace, config.Batch.Conn.Trace = meters.Batches(), meters.Conns()
	cache, err := routecache.Open(context.Background(), config)
	if err != nil {
		log.Fatal(err)
	}
	defer cache.Close()
	watch, err := meters.WatchCache(cache)
	if err != nil {
		log.Fatal(err)
	}
	defer watch.Unregister()
}
