package topology_test

import (
	"bytes"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/topology"
)

// ready returns a tracker that knows the cluster, which has not been asked anything since.
func ready(t *testing.T, c *cluster, cfg topology.Config) *topology.Tracker {
	t.Helper()
	tr := c.track(t, cfg)
	require.NoError(t, tr.Refresh(t.Context()))
	require.Equal(t, 16384, tr.Map().Covered())
	c.asked()
	return tr
}

// without returns the shards with the slots of one of them taken away.
func without(shards []topology.Shard, i int) []topology.Shard {
	lost := append([]topology.Shard(nil), shards...)
	lost[i].Slots = nil
	return lost
}

// alone is what a node knows that has only just joined, or has been reset: itself.
func alone(i int, slots ...topology.Range) []topology.Shard {
	return []topology.Shard{{Primary: testNode(i), Slots: slots}}
}

func TestTrackerViewsThatLoseSlots(t *testing.T) {
	full := evenShards(5, 0)

	run(t, "C14 the view of one node does not replace the map", func(t *testing.T) {
		c := newCluster(5, 0)
		tr := ready(t, c, topology.Config{})
		c.view(alone(2, ranges(0, 10)...), "10.0.0.2:6379")
		before := tr.Map()
		for range 50 { // each node is the first to be asked several times
			require.NoError(t, tr.Refresh(t.Context()))
			require.Same(t, before, tr.Map())
		}
	})

	run(t, "C3 C14 C23 nor when nobody else answers", func(t *testing.T) {
		c := newCluster(5, 0)
		tr := ready(t, c, topology.Config{})
		c.setAll(func(s *server) { s.err = errRefused })
		c.set("10.0.0.1:6379", func(s *server) { s.err = nil; s.shards = without(full, 2) })
		before := tr.Map()
		for range 10 {
			require.ErrorIs(t, tr.Refresh(t.Context()), topology.ErrDisputed)
			require.Same(t, before, tr.Map())
		}
	})

	run(t, "C14 nor when two agree and three do not", func(t *testing.T) {
		c := newCluster(5, 0)
		tr := ready(t, c, topology.Config{})
		c.view(without(full, 2), "10.0.0.1:6379", "10.0.0.2:6379")
		before := tr.Map()
		for range 20 {
			require.NoError(t, tr.Refresh(t.Context()))
			require.Same(t, before, tr.Map())
		}
	})

	run(t, "C14 nor when all contradict each other", func(t *testing.T) {
		c := newCluster(5, 0)
		tr := ready(t, c, topology.Config{})
		for i := range 5 {
			c.view(without(full, i), testNode(i+1).Addr)
		}
		before := tr.Map()
		require.ErrorIs(t, tr.Refresh(t.Context()), topology.ErrDisputed)
		require.Same(t, before, tr.Map())
	})

	run(t, "C14 nor when three agree and four say something else", func(t *testing.T) {
		c := newCluster(7, 0)
		tr := ready(t, c, topology.Config{})
		for i := range 7 {
			c.view(without(evenShards(7, 0), min(i, 4)), testNode(i+1).Addr)
		}
		before := tr.Map()
		for i := 4; i < 7; i++ {
			tr.Suspect(testNode(i + 1).Addr) // so that the three are heard last
		}
		require.ErrorIs(t, tr.Refresh(t.Context()), topology.ErrDisputed)
		require.Same(t, before, tr.Map())
	})

	run(t, "C14 C18 a quarrel does not lead through the whole cluster", func(t *testing.T) {
		c := newCluster(50, 0)
		tr := ready(t, c, topology.Config{})
		for i := range 50 {
			c.view(without(evenShards(50, 0), i), testNode(i+1).Addr)
		}
		require.ErrorIs(t, tr.Refresh(t.Context()), topology.ErrDisputed)
		assert.Len(t, c.asked(), 14, "both commands at seven nodes")
	})

	run(t, "C28 it does when three agree", func(t *testing.T) {
		c := newCluster(5, 0)
		tr := ready(t, c, topology.Config{})
		c.view(without(full, 2))
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Equal(t, newMap(t, without(full, 2)...).Covered(), tr.Map().Covered())
		assert.Len(t, c.asked(), 6, "both commands at three nodes")
	})

	run(t, "C28 or both of a cluster of two", func(t *testing.T) {
		c := newCluster(2, 0)
		tr := ready(t, c, topology.Config{})
		c.view(without(evenShards(2, 0), 0))
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Equal(t, 8192, tr.Map().Covered())
	})

	run(t, "C28 or the only one there is", func(t *testing.T) {
		c := newCluster(1, 0)
		tr := ready(t, c, topology.Config{})
		c.view(alone(1, ranges(0, 16000)...))
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Equal(t, 16000, tr.Map().Covered())
	})

	run(t, "C14 a seed that is known under another name has no second vote", func(t *testing.T) {
		c := newCluster(3, 0)
		seeds := []string{"10.0.0.1:6379", "one:6379", "uno:6379"}
		c.set("one:6379", func(s *server) { s.shards = evenShards(3, 0) })
		c.set("uno:6379", func(s *server) { s.shards = evenShards(3, 0) })
		tr := ready(t, c, topology.Config{Seeds: seeds})
		lost := without(evenShards(3, 0), 1)
		c.view(lost)
		c.set("10.0.0.2:6379", func(s *server) { s.err = errRefused })
		c.set("10.0.0.3:6379", func(s *server) { s.err = errRefused })
		require.ErrorIs(t, tr.Refresh(t.Context()), topology.ErrDisputed)
		assert.Equal(t, 16384, tr.Map().Covered())
	})

	run(t, "C28 a map that covers more than before needs no consent", func(t *testing.T) {
		c := newCluster(5, 0)
		c.view(without(full, 2))
		tr := c.track(t, topology.Config{})
		require.NoError(t, tr.Refresh(t.Context()))
		c.view(full, "10.0.0.4:6379")
		c.setAll(func(s *server) { s.err = errRefused })
		c.set("10.0.0.4:6379", func(s *server) { s.err = nil })
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Equal(t, 16384, tr.Map().Covered())
	})
}

func TestTrackerFirstView(t *testing.T) {
	run(t, "C14 a node that has just joined is not believed when another knows more", func(t *testing.T) {
		for range 10 {
			c := newCluster(5, 0)
			c.view(alone(2, ranges(0, 10)...), "10.0.0.2:6379")
			tr := c.track(t, topology.Config{Seeds: []string{"10.0.0.2:6379", "10.0.0.3:6379"}})
			require.NoError(t, tr.Refresh(t.Context()))
			require.Equal(t, 16384, tr.Map().Covered())
		}
	})

	run(t, "C14 nor when a node it names knows more", func(t *testing.T) {
		c := newCluster(5, 0)
		c.view(evenShards(5, 0)[1:3], "10.0.0.2:6379")
		tr := c.track(t, topology.Config{Seeds: []string{"10.0.0.2:6379"}})
		require.NoError(t, tr.Refresh(t.Context()))
		require.Equal(t, 16384, tr.Map().Covered())
	})

	run(t, "C28 a cluster that covers its slots in part is accepted", func(t *testing.T) {
		c := newCluster(5, 0)
		c.view(without(evenShards(5, 0), 2))
		tr := c.track(t, topology.Config{})
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Equal(t, newMap(t, without(evenShards(5, 0), 2)...).Covered(), tr.Map().Covered())
		require.NoError(t, tr.Refresh(t.Context()), "and goes on to be")
	})

	run(t, "C28 also when only one node can be asked", func(t *testing.T) {
		c := newCluster(5, 0)
		c.view(without(evenShards(5, 0), 2))
		c.setAll(func(s *server) { s.err = errRefused })
		c.set("10.0.0.1:6379", func(s *server) { s.err = nil })
		tr := c.track(t, topology.Config{})
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Positive(t, tr.Map().Covered())
	})

	run(t, "C28 of views of different size the one that most hold, then the larger", func(t *testing.T) {
		small, large := alone(1, ranges(0, 100)...), alone(2, ranges(100, 1100)...)
		for range 10 {
			c := newCluster(3, 0)
			c.view(small, "10.0.0.1:6379")
			c.view(large, "10.0.0.2:6379")
			tr := c.track(t, topology.Config{Seeds: []string{"10.0.0.1:6379", "10.0.0.2:6379"}})
			require.NoError(t, tr.Refresh(t.Context()))
			require.Equal(t, 1000, tr.Map().Covered())

			c.view(small, "10.0.0.3:6379")
			tr = c.track(t, topology.Config{Seeds: []string{"10.0.0.1:6379", "10.0.0.2:6379", "10.0.0.3:6379"}})
			require.NoError(t, tr.Refresh(t.Context()))
			require.Equal(t, 100, tr.Map().Covered())
		}
	})
}

// foreign is a cluster none of whose nodes is one of ours, at whatever addresses.
func foreign(addrs ...string) []topology.Shard {
	shards := evenShards(len(addrs), 0)
	for i := range shards {
		shards[i].Primary.ID = "f" + shards[i].Primary.ID[1:]
		shards[i].Primary.Addr = addrs[i]
	}
	return shards
}

func TestTrackerStrangers(t *testing.T) {
	addrs := []string{"10.0.0.1:6379", "10.0.0.2:6379", "10.0.0.3:6379"}

	run(t, "C21 another cluster at the address of one of our nodes", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := ready(t, c, topology.Config{Seeds: []string{"10.0.0.1:6379"}})
		c.view(foreign(addrs[0], "10.1.0.1:6379"), addrs[0])
		before := tr.Map()
		for range 20 {
			require.NoError(t, tr.Refresh(t.Context()))
			require.Same(t, before, tr.Map())
		}
	})

	run(t, "C21 another cluster at all our addresses, the seed leads nowhere", func(t *testing.T) {
		c := newCluster(3, 0)
		c.set("cache.example.com:6379", func(s *server) { s.shards = evenShards(3, 0) })
		tr := ready(t, c, topology.Config{Seeds: []string{"cache.example.com:6379"}})
		c.view(foreign(addrs...))
		c.set("cache.example.com:6379", func(s *server) { s.err = errRefused })
		before := tr.Map()
		require.ErrorIs(t, tr.Refresh(t.Context()), topology.ErrDisputed)
		require.Same(t, before, tr.Map())
	})

	run(t, "C21 the seed leads to strangers, and one of our nodes answers", func(t *testing.T) {
		c := newCluster(3, 0)
		c.set("cache.example.com:6379", func(s *server) { s.shards = evenShards(3, 0) })
		tr := ready(t, c, topology.Config{Seeds: []string{"cache.example.com:6379"}})
		c.setAll(func(s *server) { s.err = errRefused })
		c.set(addrs[1], func(s *server) { s.err = nil })
		c.set("cache.example.com:6379", func(s *server) { s.err = nil; s.shards = foreign("10.1.0.1:6379") })
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Equal(t, testNode(1), tr.Map().Shards()[0].Primary)
	})

	run(t, "C20 C21 the cluster was replaced behind the seed's name", func(t *testing.T) {
		c := newCluster(3, 0)
		var log bytes.Buffer
		c.set("cache.example.com:6379", func(s *server) { s.shards = evenShards(3, 0) })
		tr := ready(t, c, topology.Config{
			Seeds: []string{"cache.example.com:6379"}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		c.setAll(func(s *server) { s.err = errRefused })
		replaced := foreign("10.1.0.1:6379", "10.1.0.2:6379")
		c.set("cache.example.com:6379", func(s *server) { s.err = nil; s.shards = replaced })
		require.NoError(t, tr.Refresh(t.Context()))
		assert.True(t, tr.Map().Equal(newMap(t, replaced...)))
		assert.Contains(t, log.String(), "no node in common", "never silently")
	})
}

func TestTrackerAddressesChange(t *testing.T) {
	run(t, "C20 C27 every address changes, the nodes stay", func(t *testing.T) {
		c := newCluster(3, 1)
		c.set("cache.example.com:6379", func(s *server) { s.shards = evenShards(3, 1) })
		var changes int
		tr := ready(t, c, topology.Config{
			Seeds:    []string{"cache.example.com:6379"},
			OnChange: func(old, new *topology.Map) { changes++ },
		})
		before := tr.Map()
		moved := evenShards(3, 1)
		readdress := func(n *topology.Node) {
			_, port, _ := net.SplitHostPort(n.Addr)
			n.Addr = "10.7.7." + n.ID[39:] + ":" + port
		}
		for i := range moved {
			readdress(&moved[i].Primary)
			readdress(&moved[i].Replicas[0])
		}
		c.setAll(func(s *server) { s.delay = time.Hour }) // the old ones are black holes
		c.set("cache.example.com:6379", func(s *server) { s.delay = 0; s.shards = moved })
		start := time.Now()
		require.NoError(t, tr.Refresh(t.Context()))
		assert.LessOrEqual(t, time.Since(start), 10*time.Second)
		assert.Equal(t, "10.7.7.1:6379", tr.Map().Shards()[0].Primary.Addr)
		assert.True(t, tr.Map().Equal(before), "by node id nothing changed")
		assert.True(t, tr.Map().SameShape(before))
		assert.Equal(t, 2, changes, "but whoever holds connections is told")
	})

	run(t, "C27 views that differ in addresses only agree", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := ready(t, c, topology.Config{})
		lost := without(evenShards(3, 0), 1)
		c.view(lost, "10.0.0.1:6379", "10.0.0.2:6379")
		v6 := without(evenShards(3, 0), 1)
		for i := range v6 {
			v6[i].Primary.Addr = "[2001:db8::" + v6[i].Primary.ID[39:] + "]:6379"
		}
		c.view(v6, "10.0.0.3:6379")
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Equal(t, newMap(t, lost...).Covered(), tr.Map().Covered())
	})

	run(t, "C20 a large cluster of black holes does not keep the seeds waiting", func(t *testing.T) {
		c := newCluster(100, 1)
		c.set("cache.example.com:6379", func(s *server) { s.shards = evenShards(100, 1) })
		tr := ready(t, c, topology.Config{Seeds: []string{"cache.example.com:6379"}, Timeout: time.Second})
		c.setAll(func(s *server) { s.delay = time.Hour })
		c.set("cache.example.com:6379", func(s *server) { s.delay = 0 })
		start := time.Now()
		require.NoError(t, tr.Refresh(t.Context()))
		assert.LessOrEqual(t, time.Since(start), 6*time.Second)
	})
}
