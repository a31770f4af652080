package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/mediocregopher/radix/v4"

	"github.com/slotcast/slotcast/routecache"
)

// newRadix opens radix, with a connection per primary for each batch at a time, and at least the usual four.
func newRadix(ctx context.Context, addrs []string, m *meter, concurrent int) (*radix.Cluster, error) {
	return radix.ClusterConfig{
		PoolConfig: radix.PoolConfig{
			Dialer:       radix.Dialer{NetDialer: m},
			Size:         max(4, concurrent),
			PingInterval: -1,
		},
	}.New(ctx, addrs)
}

// radixContenders is a goroutine per MGET: a pipeline of radix cannot hold keys of several slots.
func radixContenders(client *radix.Cluster, m *meter, get *question) []*contender {
	return []*contender{{client: "radix", name: "MGETs at once", tagged: true, meter: m,
		worker: plain(func(ctx context.Context, out []routecache.Answer) error {
			groups := get.groups()
			errs := make([]error, len(groups))
			var wg sync.WaitGroup
			for i := range groups {
				wg.Go(func() { errs[i] = radixGet(ctx, client, &groups[i], out) })
			}
			wg.Wait()
			for _, err := range errs {
				if err != nil {
					return err
				}
			}
			return nil
		})}}
}

func radixGet(ctx context.Context, client *radix.Cluster, g *group, out []routecache.Answer) error {
	values := make([]string, 0, len(g.keys)) // null is the empty string, which is never stored
	if err := client.Do(ctx, radix.Cmd(&values, "MGET", g.keys...)); err != nil {
		return err
	}
	if len(values) != len(g.keys) {
		return fmt.Errorf("%d values for %d keys", len(values), len(g.keys))
	}
	for j, value := range values {
		answer := &out[g.index[j]]
		if value == "" {
			*answer = routecache.Answer{State: routecache.Miss}
			continue
		}
		var err error
		if *answer, err = parse(value); err != nil {
			return err
		}
	}
	return nil
}
