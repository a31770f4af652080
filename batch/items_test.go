package batch_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
	"github.com/stretchr/testify/require"
)

// keys is a batch of plain keys.
type keys []string

func (k keys) Len() int                           { return len(k) }
func (k keys) Slot(i int) uint16                  { return crc16.Slot(k[i]) }
func (k keys) AppendKey(dst []byte, i int) []byte { return resp.AppendBulkString(dst, k[i]) }

// tagged returns n keys with the given hash tag.
func tagged(tag string, n int) keys {
	out := make(keys, n)
	for i := range out {
		out[i] = fmt.Sprintf("{%s}%d", tag, i)
	}
	return out
}

// nothing is what reads hold for an item without an answer, missing for one whose key does not exist.
const (
	nothing = "(nothing)"
	missing = "(missing)"
)

// reads collects the answers of a Get.
type reads struct {
	keys
	got []string
	t   testing.TB
}

func newReads(t testing.TB, k keys) *reads {
	r := &reads{keys: k, got: make([]string, len(k)), t: t}
	for i := range r.got {
		r.got[i] = nothing
	}
	return r
}

func (r *reads) Reply(i int, value []byte) {
	if r.got[i] != nothing {
		r.t.Errorf("item %d is answered twice: %q, then %q", i, r.got[i], value)
	}
	if value == nil {
		r.got[i] = missing
		return
	}
	r.got[i] = string(value)
}

// writes stores "v-" and the key under each key.
type writes struct {
	keys
	stored []int
}

func newWrites(k keys) *writes { return &writes{keys: k, stored: make([]int, len(k))} }

func (w *writes) AppendValue(dst []byte, i int) []byte {
	return resp.AppendBulkString(dst, "v-"+w.keys[i])
}
func (w *writes) Stored(i int) { w.stored[i]++ }

func values(k keys) []string {
	out := make([]string, len(k))
	for i := range k {
		out[i] = "v-" + k[i]
	}
	return out
}

func every[T any](n int, v T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// open opens a client that is closed with the test and says nothing.
func open(t testing.TB, cfg batch.Config) *batch.Client {
	t.Helper()
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	c, err := batch.Open(context.Background(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

// writeCounter counts calls of Write on all connections it dials.
type writeCounter struct {
	calls atomic.Int64
}

func (w *writeCounter) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	nc, err := new(net.Dialer).DialContext(ctx, network, addr)
	return countedConn{nc, w}, err
}

type countedConn struct {
	net.Conn
	counter *writeCounter
}

func (c countedConn) Write(p []byte) (int, error) {
	c.counter.calls.Add(1)
	return c.Conn.Write(p)
}

func (c countedConn) NetConn() net.Conn { return c.Conn }

// redialler dials one address in place of another.
type redialler struct {
	used atomic.Bool
}

func (d *redialler) config(from, to string) conn.Config {
	return conn.Config{Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if addr == from {
			d.used.Store(true)
			addr = to
		}
		return new(net.Dialer).DialContext(ctx, network, addr)
	}}
}
