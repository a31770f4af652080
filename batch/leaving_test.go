package batch_test

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/fakeredis"
)

// Nodes that come and go under a call.
func TestLeavingNodes(t *testing.T) {
	giveAll := func(fake *fakeredis.Cluster, to int) {
		for slot := range uint16(crc16.SlotCount) {
			fake.Give(slot, to)
		}
	}

	bubble(t, "C22 E20 a node leaves while a call holds its connection", 2, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := tagged(fake.Tag(0, 0), 2)
		put(fake.Node(0), k)
		left := false
		fake.Node(0).On(func(_ *fakeredis.Peer, cmd []string) ([]byte, bool) {
			if cmd[0] != "MGET" || left {
				return nil, false
			}
			left = true
			reply := []byte(fmt.Sprintf("*2\r\n$%d\r\nv-%s\r\n$%d\r\nv-%s\r\n", len(k[0])+2, k[0], len(k[1])+2, k[1]))
			giveAll(fake, 1)
			fake.Leave(0)
			assert.NoError(t, c.Refresh(t.Context()))
			return reply, true
		})
		r := newReads(t, k)
		require.NoError(t, c.Get(t.Context(), r))
		assert.Equal(t, values(k), r.got, "the call finishes with it")
		require.Len(t, c.Stats().Nodes, 1)
		assert.Equal(t, fake.Node(1).Addr(), c.Stats().Nodes[0].Addr)
		put(fake.Node(1), k)
		r = newReads(t, k)
		require.NoError(t, c.Get(t.Context(), r))
		assert.Equal(t, values(k), r.got)
	})

	undialled := func(t *testing.T, leaves bool) {
		synctest.Test(t, func(t *testing.T) {
			fake := fakeredis.NewCluster(2)
			var dead atomic.Bool
			cfg := batch.Config{Conn: conn.Config{Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
				if dead.Load() && addr == fake.Node(0).Addr() { // as if the cable was pulled
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return fake.Dial(ctx, network, addr)
			}}}
			c := openFake(t, fake, cfg)
			k := append(tagged(fake.Tag(0, 0), 2), tagged(fake.Tag(1, 0), 2)...)
			time.Sleep(time.Minute)
			put(fake.Node(0), k)
			put(fake.Node(1), k)
			fake.Node(0).On(func(p *fakeredis.Peer, _ []string) ([]byte, bool) {
				dead.Store(true)
				p.Die("")
				return nil, true
			})
			time.AfterFunc(1500*time.Millisecond, func() {
				giveAll(fake, 1)
				if leaves {
					fake.Leave(0)
				}
			})
			start := time.Now()
			r := newReads(t, k)
			require.NoError(t, c.Get(t.Context(), r))
			assert.Equal(t, values(k), r.got)
			assert.Less(t, time.Since(start), 4*time.Second, "and not when the call's time is up, after 5 s; a refresh may ask the dead node first")
		})
	}
	t.Run("C22 E18 a node that cannot be dialled leaves while a call waits for it", func(t *testing.T) { undialled(t, true) })
	t.Run("C22 E18 a node that cannot be dialled stays without slots", func(t *testing.T) { undialled(t, false) })

	t.Run("E18 a connection that arrives when its groups have gone elsewhere is there for the next", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			fake := fakeredis.NewCluster(2)
			var slow atomic.Bool
			cfg := batch.Config{Conn: conn.Config{Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
				if slow.Load() && addr == fake.Node(0).Addr() {
					time.Sleep(2 * time.Second)
				}
				return fake.Dial(ctx, network, addr)
			}}}
			c := openFake(t, fake, cfg)
			time.Sleep(time.Minute)
			moved, stays := tagged(fake.Tag(0, 0), 2), tagged(fake.Tag(0, 1), 2)
			put(fake.Node(0), stays)
			put(fake.Node(1), moved)
			fake.Node(1).On(errorFor("MGET", "CLUSTERDOWN Hash slot not served", -1)) // the call still waits when the connection arrives
			slow.Store(true)
			time.AfterFunc(10*time.Millisecond, func() { slow.Store(false) }) // for those who ask for the map
			time.AfterFunc(time.Second, func() { fake.Give(crc16.Slot(moved[0]), 1) })
			time.AfterFunc(3*time.Second, func() { fake.Node(1).On(nil) })
			start := time.Now()
			r := newReads(t, moved)
			require.NoError(t, c.Get(t.Context(), r))
			assert.Equal(t, values(moved), r.got)
			assert.Greater(t, time.Since(start), 3*time.Second)
			for _, n := range c.Stats().Nodes {
				assert.Zero(t, n.InUse, n.Addr)
			}
			start = time.Now()
			r = newReads(t, stays)
			require.NoError(t, c.Get(t.Context(), r))
			assert.Equal(t, values(stays), r.got)
			assert.Less(t, time.Since(start), time.Millisecond, "nothing was dialled")
		})
	})

	bubble(t, "E20 a hundred changes of the map leave nothing behind", 3, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := tagged("a", 4)
		for _, n := range fake.Nodes() {
			put(n, k)
		}
		for i := range 100 {
			giveAll(fake, i%3)
			if i%2 == 0 {
				time.Sleep(time.Second)
				require.NoError(t, c.Refresh(t.Context()))
			}
			r := newReads(t, k)
			require.NoError(t, c.Get(t.Context(), r))
			require.Equal(t, values(k), r.got)
		}
		assert.LessOrEqual(t, len(c.Stats().Nodes), 3)
		for _, n := range c.Stats().Nodes {
			assert.Zero(t, n.InUse)
			assert.LessOrEqual(t, n.Open, 2)
		}
	})

	bubble(t, "a client that is closed under a call", 2, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := append(tagged(fake.Tag(0, 0), 2), tagged(fake.Tag(1, 0), 2)...)
		put(fake.Node(0), k)
		fake.Node(0).On(func(_ *fakeredis.Peer, cmd []string) ([]byte, bool) {
			if cmd[0] == "MGET" {
				time.Sleep(100 * time.Millisecond)
			}
			return nil, false
		})
		fake.Node(1).On(func(p *fakeredis.Peer, cmd []string) ([]byte, bool) {
			if cmd[0] != "MGET" {
				return nil, false
			}
			assert.NoError(t, c.Close())
			p.Die("")
			return nil, true
		})
		r := newReads(t, k)
		start := time.Now()
		err := c.Get(t.Context(), r)
		assert.Equal(t, append(values(k[:2]), nothing, nothing), r.got)
		assert.ErrorIs(t, errorOf(t, err, 2), batch.ErrClosed)
		assert.Less(t, time.Since(start), 200*time.Millisecond)
	})

	bubble(t, "a batch that only the refused have a share in ends at once", 2, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := tagged(fake.Tag(0, 0), 2)
		put(fake.Node(0), k)
		fake.Node(0).On(func(p *fakeredis.Peer, _ []string) ([]byte, bool) {
			p.Die("")
			return nil, true
		})
		fake.Node(0).Down(true)
		for !isOpen(c, fake.Node(0).Addr()) {
			require.Error(t, c.Get(t.Context(), newReads(t, k)))
		}
		start := time.Now()
		err := c.Get(t.Context(), newReads(t, k))
		assert.ErrorIs(t, errorOf(t, err, 0), conn.ErrBreakerOpen)
		assert.Zero(t, time.Since(start), "of a stopped clock")
		require.NoError(t, c.Close())
		assert.ErrorIs(t, c.Get(t.Context(), newReads(t, k)), batch.ErrClosed)
		assert.Zero(t, time.Since(start))
	})
}
