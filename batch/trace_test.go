package batch_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/topology"
)

// told is what a Trace was told.
type told struct {
	mu       sync.Mutex
	batches  []batch.BatchInfo
	nodes    []batch.NodeInfo
	old, new []*topology.Map
}

func (s *told) trace() *batch.Trace {
	return &batch.Trace{
		BatchDone: func(info batch.BatchInfo) { s.add(func() { s.batches = append(s.batches, info) }) },
		NodeDone:  func(info batch.NodeInfo) { s.add(func() { s.nodes = append(s.nodes, info) }) },
		TopologyChanged: func(old, new *topology.Map) {
			s.add(func() { s.old, s.new = append(s.old, old), append(s.new, new) })
		},
	}
}

func (s *told) add(what func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	what()
}

// take returns what was told since it was called last, nodes without what only the length of a request decides.
func (s *told) take(t *testing.T) (batches []batch.BatchInfo, nodes []batch.NodeInfo) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	batches, nodes = s.batches, s.nodes
	s.batches, s.nodes = nil, nil
	for i := range nodes {
		assert.Positive(t, nodes[i].BytesOut)
		nodes[i].BytesOut = 0
	}
	return batches, nodes
}

// A Trace is told of every batch and every exchange, with exact times: the bubble's. Connections in memory cannot be looked
// at, so each is listened to for 0.1 ms before it is used again.
func TestTrace(t *testing.T) {
	const ms, look = time.Millisecond, time.Millisecond / 10
	synctest.Test(t, func(t *testing.T) {
		fake := fakeredis.NewCluster(2)
		var seen told
		c := openFake(t, fake, batch.Config{Trace: seen.trace()})
		k := append(tagged(fake.Tag(0, 0), 3), tagged(fake.Tag(1, 0), 2)...)
		require.NoError(t, c.Get(t.Context(), newReads(t, k)), "now there are connections")
		seen.take(t)
		slow := func(d time.Duration) fakeredis.Hook {
			return func(*fakeredis.Peer, []string) ([]byte, bool) {
				time.Sleep(d)
				return nil, false
			}
		}
		fake.Node(0).On(slow(3 * ms))
		first, second := fake.Node(0).Addr(), fake.Node(1).Addr()

		require.NoError(t, c.Set(t.Context(), newWrites(k), time.Minute))
		batches, nodes := seen.take(t)
		assert.Equal(t, []batch.BatchInfo{{Write: true, Items: 5, Total: 6*ms + look}}, batches)
		assert.Equal(t, []batch.NodeInfo{
			// SCRIPT LOAD and EVALSHA, 3 ms each. The second node's replies are read after the first's.
			{Addr: first, Write: true, Commands: 2, Keys: 3, BytesIn: 51, Wait: look, FirstByte: 6 * ms, Total: 6*ms + look},
			{Addr: second, Write: true, Commands: 2, Keys: 2, BytesIn: 51, Wait: look, FirstByte: 6*ms - look, Total: 6 * ms},
		}, nodes)

		put(fake.Node(1), k)
		fake.Give(k.Slot(0), 1)
		require.NoError(t, c.Get(t.Context(), newReads(t, k)))
		batches, nodes = seen.take(t)
		assert.Equal(t, []batch.BatchInfo{{Items: 5, Redirects: 1, Total: 3*ms + 2*look}}, batches)
		assert.Equal(t, []batch.NodeInfo{
			{Addr: first, Commands: 1, Keys: 3, BytesIn: 28, Wait: look, FirstByte: 3 * ms, Total: 3*ms + look},
			{Addr: second, Commands: 1, Keys: 2, BytesIn: 30, Wait: look, FirstByte: 3*ms - look, Total: 3 * ms},
			{Addr: second, Commands: 1, Keys: 3, BytesIn: 43, Wait: look, Total: look},
		}, nodes)

		fake.Node(1).On(errorFor("MGET", "ERR no", -1))
		err := c.Get(t.Context(), newReads(t, k))
		require.Error(t, err)
		batches, nodes = seen.take(t)
		assert.Equal(t, []batch.BatchInfo{{Items: 5, Failed: 5, Total: look, Err: err}}, batches)
		assert.Equal(t, []batch.NodeInfo{
			{Addr: second, Commands: 2, Keys: 5, BytesIn: 18, Wait: look, Total: look},
		}, nodes, "a node that refuses has answered")

		fake.Node(1).On(slow(time.Second))
		ctx, cancel := context.WithTimeout(t.Context(), 10*ms)
		defer cancel()
		err = c.Get(ctx, newReads(t, k))
		require.Error(t, err)
		batches, nodes = seen.take(t)
		assert.Equal(t, []batch.BatchInfo{{Items: 5, Failed: 5, Total: 10 * ms, Err: err}}, batches)
		require.Len(t, nodes, 1)
		assert.ErrorIs(t, nodes[0].Err, context.DeadlineExceeded)
		nodes[0].Err = nil
		assert.Equal(t, []batch.NodeInfo{{Addr: second, Commands: 2, Keys: 5, Wait: look, Total: 10 * ms}}, nodes)

		time.Sleep(time.Minute) // the node has come to itself
		seen.mu.Lock()
		defer seen.mu.Unlock()
		require.GreaterOrEqual(t, len(seen.new), 2)
		assert.Nil(t, seen.old[0])
		assert.Equal(t, seen.new[:len(seen.new)-1], seen.old[1:])
		for i, want := range []string{first, second} {
			m := seen.new[i]
			assert.Equal(t, want, m.Shards()[m.ShardOf(k.Slot(0))].Primary.Addr)
		}
	})
}
