package otelslotcast

import (
	"errors"

	"go.opentelemetry.io/otel/metric"
)

// scope is the name of the meter.
const scope = "github.com/slotcast/slotcast/otelslotcast"

// Meters are the instruments. One Meters serves any number of clients, whose figures then add up. It is safe for concurrent
// use.
type Meters struct {
	meter metric.Meter
	names names

	batchDuration, nodeDuration, wait, firstByte, dialDuration     metric.Float64Histogram
	items, redirects, commands, keys, io, topologies, breakers     metric.Int64Counter
	connections, waiting, breakerOpen                              metric.Int64ObservableUpDownCounter
	refused, lost, refreshes, pairs, corrupt, oldHits, sets, walks metric.Int64ObservableCounter
}

// seconds are the bounds of the histograms' buckets: a batch on a near node takes some hundred microseconds, and none
// without a deadline more than 5 s.
var seconds = metric.WithExplicitBucketBoundaries(
	50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

// New makes the instruments. The error is the provider's.
func New(provider metric.MeterProvider) (*Meters, error) {
	m := &Meters{meter: provider.Meter(scope)}
	var errs []error
	histogram := func(name, description string) metric.Float64Histogram {
		h, err := m.meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description), seconds)
		errs = append(errs, err)
		return h
	}
	counter := func(name, unit, description string) metric.Int64Counter {
		c, err := m.meter.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(description))
		errs = append(errs, err)
		return c
	}
	now := func(name, unit, description string) metric.Int64ObservableUpDownCounter {
		n, err := m.meter.Int64ObservableUpDownCounter(name, metric.WithUnit(unit), metric.WithDescription(description))
		errs = append(errs, err)
		return n
	}
	total := func(name, unit, description string) metric.Int64ObservableCounter {
		c, err := m.meter.Int64ObservableCounter(name, metric.WithUnit(unit), metric.WithDescription(description))
		errs = append(errs, err)
		return c
	}
	m.batchDuration = histogram("slotcast.batch.duration", "Duration of a Get or Set.")
	m.items = counter("slotcast.batch.items", "{key}", "Distinct keys asked for or stored.")
	m.redirects = counter("slotcast.batch.redirects", "{redirect}", "Groups of keys that followed MOVED or ASK.")
	m.nodeDuration = histogram("slotcast.node.duration", "Duration of a batch's exchange with one node.")
	m.wait = histogram("slotcast.node.wait", "Wait of a batch for a connection to one node.")
	m.firstByte = histogram("slotcast.node.first_byte", "Time from having a connection to its first reply.")
	m.commands = counter("slotcast.node.commands", "{command}", "Commands sent to a node.")
	m.keys = counter("slotcast.node.keys", "{key}", "Keys in the commands sent to a node.")
	m.io = counter("slotcast.node.io", "By", "Bytes of requests and replies.")
	m.topologies = counter("slotcast.topology.changes", "{change}", "Changes of the map of the cluster.")
	m.dialDuration = histogram("slotcast.dial.duration", "Duration of a dial, with TLS and handshake.")
	m.breakers = counter("slotcast.breaker.changes", "{change}", "Changes of the breakers of nodes.")

	m.connections = now("slotcast.connections", "{connection}", "Connections to a node.")
	m.waiting = now("slotcast.connections.waiting", "{call}", "Calls in line for a connection to a node.")
	m.breakerOpen = now("slotcast.breaker.open", "1", "1 while a node is not asked, since it failed repeatedly.")
	m.refused = total("slotcast.groups.refused", "{group}", "Groups of keys that a node redirected or put off.")
	m.lost = total("slotcast.connections.lost", "{connection}", "Connections lost with a batch on them.")
	m.refreshes = total("slotcast.topology.refreshes", "{refresh}", "Times the topology was asked for.")
	m.pairs = total("slotcast.cache.pairs", "{pair}", "Answers of Get.")
	m.corrupt = total("slotcast.cache.corrupt", "{pair}", "Misses because of a value that is not an estimate.")
	m.oldHits = total("slotcast.cache.old_hits", "{pair}", "Hits under the anchor of a former shape of the cluster.")
	m.sets = total("slotcast.cache.sets", "{pair}", "Pairs given to Set.")
	m.walks = total("slotcast.cache.walks", "{walk}", "Walks since the cluster's shape changed.")
	return m, errors.Join(errs...)
}
