package otelslotcast_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/slotcast/slotcast/otelslotcast"
)

// newMeters returns meters and what reads them.
func newMeters(t testing.TB) (*otelslotcast.Meters, *sdk.ManualReader) {
	t.Helper()
	reader := sdk.NewManualReader()
	m, err := otelslotcast.New(sdk.NewMeterProvider(sdk.WithReader(reader)))
	require.NoError(t, err)
	return m, reader
}

// figures are what was measured: sums, and of histograms the number of values, by "name attribute=value …".
type figures map[string]int64

func collect(t testing.TB, reader *sdk.ManualReader, nodes ...string) figures {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(context.Background(), &all))
	f := make(figures)
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					f[figure(m.Name, p.Attributes, nodes)] = p.Value
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					require.GreaterOrEqual(t, p.Sum, 0.0)
					require.Less(t, p.Sum, 60*float64(p.Count), "seconds")
					f[figure(m.Name, p.Attributes, nodes)] = int64(p.Count)
				}
			default:
				t.Fatalf("%s is a %T", m.Name, data)
			}
		}
	}
	return f
}

// figure is the name of a measurement. Of a node it says "node=#" and its index.
func figure(name string, attributes attribute.Set, nodes []string) string {
	host := ""
	for _, a := range attributes.ToSlice() {
		key, value := string(a.Key), a.Value.String()
		switch key {
		case "server.address":
			host = value
			continue
		case "server.port":
			key, value = "node", fmt.Sprint("#", slices.Index(nodes, net.JoinHostPort(host, value)))
		}
		name += fmt.Sprintf(" %s=%s", key, value)
	}
	return name
}
