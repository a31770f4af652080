package otelslotcast

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/routecache"
)

// WatchClient reads the counts of a client whenever metrics are collected, until it is unregistered. The error is the
// provider's.
func (m *Meters) WatchClient(c *batch.Client) (metric.Registration, error) {
	return m.meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		m.observeClient(o, c.Stats())
		return nil
	}, m.ofClient()...)
}

// WatchCache is WatchClient for a cache and its client.
func (m *Meters) WatchCache(c *routecache.Cache) (metric.Registration, error) {
	instruments := append(m.ofClient(), m.pairs, m.corrupt, m.oldHits, m.sets, m.walks)
	return m.meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		m.observeClient(o, c.Client().Stats())
		m.observeCache(o, c.Stats())
		return nil
	}, instruments...)
}

// ofClient are the instruments that observeClient uses.
func (m *Meters) ofClient() []metric.Observable {
	return []metric.Observable{m.connections, m.waiting, m.breakerOpen, m.refused, m.lost, m.refreshes}
}

func (m *Meters) observeClient(o metric.Observer, s batch.Stats) {
	refused := func(n int64, reply string) {
		o.ObserveInt64(m.refused, n, metric.WithAttributes(attribute.String("slotcast.reply", reply)))
	}
	refused(s.Moved, "MOVED")
	refused(s.Asked, "ASK")
	refused(s.TryAgains, "TRYAGAIN")
	refused(s.NoScripts, "NOSCRIPT")
	o.ObserveInt64(m.lost, s.Lost)
	o.ObserveInt64(m.refreshes, s.Refreshes)
	for _, node := range s.Nodes {
		at := slices.Clip(server(node.Addr))
		connections := func(n int, state string) {
			of := append(at, attribute.String("slotcast.connection.state", state))
			o.ObserveInt64(m.connections, int64(n), metric.WithAttributes(of...))
		}
		connections(node.Idle, "idle")
		connections(node.InUse, "used")
		connections(node.Dialing, "dialing")
		connections(node.Draining, "draining")
		o.ObserveInt64(m.waiting, int64(node.Waiting), metric.WithAttributes(at...))
		open := int64(0)
		if node.BreakerOpen {
			open = 1
		}
		o.ObserveInt64(m.breakerOpen, open, metric.WithAttributes(at...))
	}
}

func (m *Meters) observeCache(o metric.Observer, s routecache.Stats) {
	pairs := func(n int64, state string) {
		o.ObserveInt64(m.pairs, n, metric.WithAttributes(attribute.String("slotcast.state", state)))
	}
	pairs(s.Hits, "hit")
	pairs(s.Misses, "miss")
	pairs(s.Failed, "failed")
	o.ObserveInt64(m.corrupt, s.Corrupt)
	o.ObserveInt64(m.oldHits, s.OldHits)
	o.ObserveInt64(m.sets, s.Sets)
	o.ObserveInt64(m.walks, s.Walks)
}
