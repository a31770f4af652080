package otelslotcast

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/resp"
)

// A name is what a measurement is filed under. Those of usual things are made once: to make one costs some allocations, to
// use it none.
type name struct {
	record []metric.RecordOption
	add    []metric.AddOption
}

func newName(attributes ...attribute.KeyValue) *name {
	set := metric.WithAttributeSet(attribute.NewSet(attributes...))
	return &name{[]metric.RecordOption{set}, []metric.AddOption{set}}
}

// names are those of exchanges with nodes that did not fail.
type names struct {
	mu    sync.RWMutex
	known map[exchange]*exchangeNames
}

type exchange struct {
	addr  string
	write bool
}

type exchangeNames struct{ all, out, in *name }

// mostNames bounds names: a long-lived client of a cluster whose addresses come and go would collect them.
const mostNames = 1024

// of returns the names of an exchange.
func (n *names) of(e exchange, err error) *exchangeNames {
	if err != nil {
		return newExchangeNames(e, err)
	}
	n.mu.RLock()
	known := n.known[e]
	n.mu.RUnlock()
	if known != nil {
		return known
	}
	made := newExchangeNames(e, nil)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.known == nil || len(n.known) >= mostNames {
		n.known = make(map[exchange]*exchangeNames)
	}
	n.known[e] = made
	return made
}

func newExchangeNames(e exchange, err error) *exchangeNames {
	attributes := slices.Clip(append(append(server(e.addr), operation(e.write)), failure(err)...))
	with := func(direction string) *name {
		return newName(append(attributes, attribute.String("network.io.direction", direction))...)
	}
	return &exchangeNames{newName(attributes...), with("transmit"), with("receive")}
}

// server is the address of a node.
func server(addr string) []attribute.KeyValue {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return []attribute.KeyValue{attribute.String("server.address", addr)}
	}
	attributes := []attribute.KeyValue{attribute.String("server.address", host)}
	if number, err := strconv.Atoi(port); err == nil {
		attributes = append(attributes, attribute.Int("server.port", number))
	}
	return attributes
}

func operation(write bool) attribute.KeyValue {
	if write {
		return attribute.String("slotcast.operation", "set")
	}
	return attribute.String("slotcast.operation", "get")
}

// failure is the kind of an error, of which there are few, or nothing.
func failure(err error) []attribute.KeyValue {
	if err == nil {
		return nil
	}
	return []attribute.KeyValue{attribute.String("error.type", kind(err))}
}

// kind is the first word of an error reply, such as CLUSTERDOWN, a word for what is common, or the type of the innermost
// error.
func kind(err error) string {
	var reply *resp.Error
	switch {
	case errors.Is(err, conn.ErrBreakerOpen): // which may wrap what opened it
		return "breaker_open"
	case errors.As(err, &reply):
		return reply.Code()
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return fmt.Sprintf("%T", err)
		}
		err = inner
	}
}
