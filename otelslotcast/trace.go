package otelslotcast

import (
	"context"

	"go.opentelemetry.io/otel/attribute"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/topology"
)

// Batches returns what batch.Config.Trace is to be.
func (m *Meters) Batches() *batch.Trace {
	// By whether it is a write.
	done := [2]*name{newName(operation(false)), newName(operation(true))}
	answered := [2]*name{newName(operation(false), result("answered")), newName(operation(true), result("answered"))}
	failed := [2]*name{newName(operation(false), result("failed")), newName(operation(true), result("failed"))}
	return &batch.Trace{
		BatchDone: func(info batch.BatchInfo) {
			ctx, write := context.Background(), 0
			if info.Write {
				write = 1
			}
			of := done[write]
			if info.Err != nil {
				of = newName(append(failure(info.Err), operation(info.Write))...)
			}
			m.batchDuration.Record(ctx, info.Total.Seconds(), of.record...)
			m.items.Add(ctx, int64(info.Items-info.Failed), answered[write].add...)
			if info.Failed > 0 {
				m.items.Add(ctx, int64(info.Failed), failed[write].add...)
			}
			if info.Redirects > 0 {
				m.redirects.Add(ctx, int64(info.Redirects), done[write].add...)
			}
		},
		NodeDone: func(info batch.NodeInfo) {
			ctx, of := context.Background(), m.names.of(exchange{info.Addr, info.Write}, info.Err)
			m.nodeDuration.Record(ctx, info.Total.Seconds(), of.all.record...)
			m.wait.Record(ctx, info.Wait.Seconds(), of.all.record...)
			if info.FirstByte > 0 {
				m.firstByte.Record(ctx, info.FirstByte.Seconds(), of.all.record...)
			}
			m.commands.Add(ctx, int64(info.Commands), of.all.add...)
			m.keys.Add(ctx, int64(info.Keys), of.all.add...)
			m.io.Add(ctx, info.BytesOut, of.out.add...)
			m.io.Add(ctx, info.BytesIn, of.in.add...)
		},
		TopologyChanged: func(_, _ *topology.Map) { m.topologies.Add(context.Background(), 1) },
	}
}

func result(r string) attribute.KeyValue { return attribute.String("slotcast.result", r) }

// Conns returns what conn.Config.Trace is to be.
func (m *Meters) Conns() *conn.Trace {
	return &conn.Trace{
		Dialled: func(info conn.DialInfo) {
			of := newName(append(server(info.Addr), failure(info.Err)...)...)
			m.dialDuration.Record(context.Background(), info.Duration.Seconds(), of.record...)
		},
		Breaker: func(info conn.BreakerInfo) {
			state := "closed"
			if info.Open {
				state = "open"
			}
			of := newName(append(server(info.Addr), attribute.String("slotcast.breaker.state", state))...)
			m.breakers.Add(context.Background(), 1, of.add...)
		},
	}
}
