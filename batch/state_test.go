package batch_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/topology"
)

// bubble runs a test with a cluster in memory and a client of it, a minute after it has been opened.
func bubble(t *testing.T, name string, primaries int, cfg batch.Config, test func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			fake := fakeredis.NewCluster(primaries)
			c := openFake(t, fake, cfg)
			time.Sleep(time.Minute)
			test(t, fake, c)
		})
	})
}

// States of nodes and of the cluster that pass by themselves.
func TestPassingStates(t *testing.T) {
	const down = "CLUSTERDOWN The cluster is down"

	bubble(t, "D16 the cluster is down for a while", 3, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := append(tagged(fake.Tag(0, 0), 2), tagged(fake.Tag(1, 0), 2)...)
		for _, n := range fake.Nodes() {
			put(n, k)
			n.On(errorFor("MGET", down, -1))
		}
		time.AfterFunc(800*time.Millisecond, func() {
			for _, n := range fake.Nodes() {
				n.On(nil)
			}
		})
		views, start := fake.Views(), time.Now()
		r := newReads(t, k)
		require.NoError(t, c.Get(t.Context(), r))
		assert.Equal(t, values(k), r.got)
		assert.Less(t, time.Since(start), 1100*time.Millisecond, "it comes back by itself")
		assert.Less(t, len(fake.Node(0).Log()), 16, "and is not hammered meanwhile")
		time.Sleep(time.Minute)
		assert.LessOrEqual(t, fake.Views()-views, 2*5, "nor asked for the topology all the time")
	})

	bubble(t, "D16 the cluster stays down", 1, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		fake.Node(0).On(errorFor("MGET", down, -1))
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		err := c.Get(ctx, newReads(t, tagged("a", 2)))
		assert.Equal(t, 300*time.Millisecond, time.Since(start))
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, down, "why it was waited for is told")
	})

	bubble(t, "D16 tries are bounded", 1, batch.Config{MaxTries: 4}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		fake.Node(0).On(errorFor("MGET", down, -1))
		start := time.Now()
		err := c.Get(t.Context(), newReads(t, tagged("a", 2)))
		assert.ErrorContains(t, err, down)
		assert.Len(t, fake.Node(0).Log(), 5, "the first and four more")
		assert.Less(t, time.Since(start), 5*(5+10+20+40)*time.Millisecond)
	})

	bubble(t, "D17 G8 a node is loading: no misses, and it is left alone", 2, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := append(tagged(fake.Tag(0, 0), 2), tagged(fake.Tag(1, 0), 2)...)
		put(fake.Node(0), k)
		put(fake.Node(1), k)
		loading := "LOADING Redis is loading the dataset in memory"
		fake.Node(0).On(errorFor("MGET", loading, -1))
		var sent int
		for range 50 {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			r := newReads(t, k)
			err := c.Get(ctx, r)
			cancel()
			require.ErrorContains(t, err, loading)
			require.Equal(t, append(every(2, nothing), values(k[2:])...), r.got)
		}
		sent = len(fake.Node(0).Log())
		assert.Less(t, sent, 30, "of 50 calls within a second")
		fake.Node(0).On(nil)
		require.Eventually(t, func() bool { return c.Get(t.Context(), newReads(t, k)) == nil }, 5*time.Second, 10*time.Millisecond)
	})

	bubble(t, "D20 a write that is held for 3 s and then moved", 2, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := tagged(fake.Tag(0, 0), 2)
		fake.Node(0).On(func(_ *fakeredis.Peer, cmd []string) ([]byte, bool) {
			if cmd[0] == "EVALSHA" {
				time.Sleep(3 * time.Second)
				fake.Give(k.Slot(0), 1)
			}
			return nil, false
		})
		w := newWrites(k)
		start := time.Now()
		require.NoError(t, c.Set(t.Context(), w, time.Minute))
		assert.Equal(t, every(2, 1), w.stored)
		assert.InDelta(t, 3, time.Since(start).Seconds(), 0.1)
	})

	bubble(t, "D20 a write that is held for longer than the call", 2, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := append(tagged(fake.Tag(0, 0), 2), tagged(fake.Tag(1, 0), 2)...)
		fake.Node(0).On(func(_ *fakeredis.Peer, cmd []string) ([]byte, bool) {
			if cmd[0] == "EVALSHA" {
				time.Sleep(10 * time.Second)
			}
			return nil, false
		})
		w := newWrites(k)
		start := time.Now()
		err := c.Set(t.Context(), w, time.Minute)
		assert.Equal(t, []int{0, 0, 1, 1}, w.stored)
		assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
		assert.NotErrorIs(t, err, context.DeadlineExceeded, "it is our limit, not the caller's")
		assert.Equal(t, 5*time.Second, time.Since(start))
		time.Sleep(10 * time.Second) // the node lets go
	})

	bubble(t, "C28 a slot that nobody serves", 2, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := append(tagged(fake.Tag(0, 0), 2), tagged(fake.Tag(1, 0), 2)...)
		put(fake.Node(1), k)
		fake.Give(k.Slot(0), -1)
		require.Eventually(t, func() bool { return c.Refresh(t.Context()) == nil && c.Topology().Covered() < 16384 },
			time.Minute, time.Second)
		time.Sleep(time.Minute)
		views := fake.Views()
		r := newReads(t, k)
		err := c.Get(t.Context(), r)
		assert.Equal(t, append(every(2, nothing), values(k[2:])...), r.got)
		assert.ErrorIs(t, errorOf(t, err, 0), topology.ErrSlotUncovered)
		assert.Greater(t, fake.Views(), views, "the topology was asked first")
		assert.LessOrEqual(t, fake.Views()-views, 4)

		start := time.Now()
		assert.ErrorIs(t, c.Get(t.Context(), newReads(t, k)), topology.ErrSlotUncovered)
		assert.Less(t, time.Since(start), time.Millisecond, "the next call knows")

		time.Sleep(time.Minute)
		fake.Give(k.Slot(0), 1)
		r = newReads(t, k)
		require.NoError(t, c.Get(t.Context(), r))
		assert.Equal(t, values(k), r.got, "and the one after that finds the new owner")
	})

	bubble(t, "D14 a key twice in a batch", 2, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := tagged(fake.Tag(0, 0), 3)
		k = append(k, k[0], k[0], k[2])
		put(fake.Node(0), k[:2])
		r := newReads(t, k)
		require.NoError(t, c.Get(t.Context(), r))
		assert.Equal(t, []string{"v-" + k[0], "v-" + k[1], missing, "v-" + k[0], "v-" + k[0], missing}, r.got, "E25: each is answered")
		w := newWrites(k)
		require.NoError(t, c.Set(t.Context(), w, time.Minute))
		assert.Equal(t, every(6, 1), w.stored)
	})

	bubble(t, "D18 D19 D22 nothing is ever sent that changes what a connection is", 2, batch.Config{Conn: conn.Config{LibInfo: true}},
		func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
			seen := make(map[string]bool)
			k := append(tagged(fake.Tag(0, 0), 2), "b", "c", "d")
			fake.Migrate(k.Slot(0), 1)
			require.NoError(t, c.Set(t.Context(), newWrites(k), time.Minute))
			require.NoError(t, c.Get(t.Context(), newReads(t, k)))
			for _, log := range logs(fake) {
				for _, cmd := range log {
					name, _, _ := strings.Cut(cmd, " ")
					seen[name] = true
				}
			}
			for name := range seen {
				assert.Contains(t, []string{"GET", "MGET", "SET", "EVALSHA", "EVAL", "SCRIPT", "ASKING"}, name, "no SELECT, no READONLY")
			}
		})

	bubble(t, "D15 E15 a demoted node is dialled anew", 2, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := tagged(fake.Tag(0, 0), 2)
		require.NoError(t, c.Set(t.Context(), newWrites(k), time.Minute))
		dials := fake.Node(0).Dials()
		fake.Node(0).On(errorFor("EVALSHA", "READONLY You can't write against a read only replica. script: 31b, on @user_script:3.", 1))
		w := newWrites(k)
		require.NoError(t, c.Set(t.Context(), w, time.Minute))
		assert.Equal(t, every(2, 1), w.stored)
		assert.Greater(t, fake.Node(0).Dials(), dials)
	})

	bubble(t, "E17 NOAUTH on a connection that was fine", 1, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := tagged("a", 2)
		fake.Node(0).On(errorFor("MGET", "NOAUTH Authentication required.", 1))
		require.ErrorContains(t, c.Get(t.Context(), newReads(t, k)), "NOAUTH")
		dials := fake.Node(0).Dials()
		require.NoError(t, c.Get(t.Context(), newReads(t, k)))
		assert.Equal(t, dials+1, fake.Node(0).Dials(), "the connection was dropped")
	})
}

// Real servers that refuse for a while.
func TestPassingStatesOfServers(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3, Replicas: 1})
	c := open(t, batch.Config{Addrs: cluster.Addrs(), MaxTries: 255})
	tags := oneTagPer(c, 1)
	var k keys
	for _, tag := range tags {
		k = append(k, tagged(tag[0], 10)...)
	}

	t.Run("D1 keys of several slots in one command are our fault and not tried again", func(t *testing.T) {
		lie := lyingReads{newReads(t, append(tagged(tags[0][0], 1), tagged(tags[1][0], 1)...))}
		require.NoError(t, cluster.ResetStats())
		err := c.Get(t.Context(), lie)
		assert.ErrorContains(t, err, "CROSSSLOT")
		assert.NotContains(t, err.Error(), tags[0][0], "keys are nobody's business")
		var rejected int64
		for _, n := range cluster.Nodes() {
			stats, err := n.CommandStats()
			require.NoError(t, err)
			rejected += stats["mget"].Rejected + stats["mget"].Calls
		}
		assert.Equal(t, int64(1), rejected)
	})

	t.Run("D15 D16 F1 a primary dies and its replica takes over, within one call", func(t *testing.T) {
		require.NoError(t, c.Set(t.Context(), newWrites(k), time.Hour))
		require.NoError(t, cluster.WaitReady(t.Context()))
		require.NoError(t, cluster.Node(0).Kill())
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		require.Eventually(t, func() bool {
			w := newWrites(k)
			return c.Set(ctx, w, time.Hour) == nil
		}, 30*time.Second, 50*time.Millisecond)
		r := newReads(t, k)
		require.NoError(t, c.Get(ctx, r))
		assert.Equal(t, values(k), r.got)
	})

	t.Run("D15 E15 a planned failover, the demoted node living on", func(t *testing.T) {
		require.NoError(t, cluster.Failover(t.Context(), 4)) // the replica of node 1
		for i := range 5 {
			w := newWrites(k)
			require.NoError(t, c.Set(t.Context(), w, time.Hour), "call %d", i)
			assert.Equal(t, every(len(k), 1), w.stored)
		}
		r := newReads(t, k)
		require.NoError(t, c.Get(t.Context(), r))
		assert.Equal(t, values(k), r.got)
	})
}

// lyingReads claims that all keys are of the slot of the first.
type lyingReads struct{ *reads }

func (l lyingReads) Slot(int) uint16 { return l.reads.Slot(0) }
