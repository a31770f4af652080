package topology_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/topology"
)

// owner returns the address of the primary of a slot.
func owner(m *topology.Map, slot uint16) string {
	return m.Shards()[m.ShardOf(slot)].Primary.Addr
}

func TestTrackerMoved(t *testing.T) {
	node2 := testNode(2).Addr

	run(t, "the map is patched at once, and a refresh follows", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := ready(t, c, topology.Config{})
		tr.Moved([]topology.Move{{Slot: 5, Addr: node2}, {Slot: 6, Addr: node2}})
		assert.Equal(t, node2, owner(tr.Map(), 5))
		assert.Equal(t, node2, owner(tr.Map(), 6))
		time.Sleep(900 * time.Millisecond)
		assert.NotEmpty(t, c.asked())
		assert.Equal(t, node2, owner(tr.Map(), 5), "C16 the nodes learn of it one after the other")
		time.Sleep(time.Minute)
		assert.LessOrEqual(t, len(c.asked()), 3)
		assert.NotEqual(t, node2, owner(tr.Map(), 5), "a snapshot asked for much later has the last word")
	})

	run(t, "what is known already triggers nothing", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := ready(t, c, topology.Config{})
		before := tr.Map()
		tr.Moved([]topology.Move{{Slot: 5, Addr: testNode(1).Addr}})
		tr.Moved(nil)
		time.Sleep(time.Minute)
		assert.Same(t, before, tr.Map())
		assert.Empty(t, c.asked())
	})

	run(t, "C5 C16 it wins over a snapshot asked for before", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := ready(t, c, topology.Config{})
		c.setAll(func(s *server) { s.delay = 400 * time.Millisecond })
		done := make(chan error, 1)
		go func() { done <- tr.Refresh(t.Context()) }()
		time.Sleep(500 * time.Millisecond) // the interval, and the answer is on its way
		tr.Moved([]topology.Move{{Slot: 5, Addr: node2}})
		require.NoError(t, <-done)
		assert.Equal(t, node2, owner(tr.Map(), 5), "the answer does not know it yet")
		assert.Equal(t, 16384, tr.Map().Covered())

		settled := evenShards(3, 0)
		settled[0].Slots = ranges(0, 5, 6, 5461)
		settled[1].Slots = append(settled[1].Slots, ranges(5, 6)...)
		c.view(settled)
		time.Sleep(time.Minute)
		assert.True(t, tr.Map().Equal(newMap(t, settled...)))
	})

	run(t, "C16 also over the CLUSTER SHARDS half of an answer of two", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := ready(t, c, topology.Config{})
		c.setAll(answerShards(shardsReply(without(evenShards(3, 0), 2)), nil))
		c.setAll(func(s *server) { s.delay = 400 * time.Millisecond })
		done := make(chan error, 1)
		go func() { done <- tr.Refresh(t.Context()) }()
		for len(c.peek()) < 2 {
			time.Sleep(10 * time.Millisecond)
		}
		tr.Moved([]topology.Move{{Slot: 5, Addr: node2}}) // while SLOTS is under way
		require.NoError(t, <-done)
		assert.Equal(t, node2, owner(tr.Map(), 5))
	})

	run(t, "C16 the last of two MOVED counts", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := ready(t, c, topology.Config{})
		c.setAll(func(s *server) { s.delay = 400 * time.Millisecond })
		done := make(chan error, 1)
		go func() { done <- tr.Refresh(t.Context()) }()
		time.Sleep(500 * time.Millisecond)
		tr.Moved([]topology.Move{{Slot: 5, Addr: node2}})
		tr.Moved([]topology.Move{{Slot: 5, Addr: testNode(3).Addr}})
		require.NoError(t, <-done)
		assert.Equal(t, testNode(3).Addr, owner(tr.Map(), 5))
	})

	run(t, "before there is a map it is kept for the first one", func(t *testing.T) {
		c := newCluster(3, 0)
		c.setAll(func(s *server) { s.delay = 400 * time.Millisecond })
		tr := c.track(t, topology.Config{})
		go func() { _ = tr.Refresh(t.Context()) }()
		time.Sleep(100 * time.Millisecond)
		tr.Moved([]topology.Move{{Slot: 5, Addr: node2}})
		time.Sleep(400 * time.Millisecond)
		assert.Equal(t, node2, owner(tr.Map(), 5))
	})

	run(t, "D20 a burst for a whole range is one refresh", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := ready(t, c, topology.Config{})
		for slot := uint16(0); slot < 5000; slot += 25 {
			var moves []topology.Move
			for i := range uint16(25) {
				moves = append(moves, topology.Move{Slot: slot + i, Addr: node2})
			}
			tr.Moved(moves)
		}
		settled := evenShards(3, 0)
		settled[0].Slots, settled[1].Slots = ranges(5000, 5461), append(settled[1].Slots, ranges(0, 5000)...)
		c.view(settled)
		time.Sleep(time.Minute)
		assert.LessOrEqual(t, len(c.asked()), 2)
		assert.True(t, tr.Map().Equal(newMap(t, settled...)))
	})
}

func TestTrackerFailover(t *testing.T) {
	run(t, "C16 MOVED to the replica of a frozen primary", func(t *testing.T) {
		c := newCluster(3, 1)
		tr := ready(t, c, topology.Config{})
		before := tr.Map()
		c.set("10.0.0.1:6379", func(s *server) { s.delay = time.Hour })
		tr.Suspect("10.0.0.1:6379")
		time.Sleep(3 * time.Second) // its peers go on calling it online
		assert.True(t, tr.Map().Equal(before))

		replica := before.Shards()[0].Replicas[0].Addr
		tr.Moved([]topology.Move{{Slot: 7, Addr: replica}})
		assert.Equal(t, replica, owner(tr.Map(), 7))
		assert.Equal(t, replica, owner(tr.Map(), 0), "all slots of the shard follow: one MOVED is enough")
		assert.True(t, tr.Map().SameShape(before))

		promoted := evenShards(3, 1)
		promoted[0].Primary, promoted[0].Replicas[0] = promoted[0].Replicas[0], promoted[0].Primary
		promoted[0].Replicas[0].Health = "fail"
		c.view(promoted)
		time.Sleep(10 * time.Second)
		assert.True(t, tr.Map().Equal(newMap(t, promoted...)))
		assert.NotContains(t, c.asked(), node1Shards, "the frozen node is not asked as long as others answer")
	})
}

func TestTrackerSuspects(t *testing.T) {
	run(t, "C16 C19 asked last, until it answers", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := ready(t, c, topology.Config{MinInterval: time.Millisecond})
		for range 20 {
			tr.Suspect("10.0.0.1:6379")
			tr.Suspect("10.0.0.2:6379")
			require.NoError(t, tr.Refresh(t.Context()))
		}
		calls := c.asked()
		assert.NotContains(t, calls, node1Shards)
		assert.NotContains(t, calls, "10.0.0.2:6379 CLUSTER SHARDS")

		c.set("10.0.0.3:6379", func(s *server) { s.err = errRefused })
		require.NoError(t, tr.Refresh(t.Context()), "they are asked all the same")
		c.asked()
		seen := make(map[string]bool)
		for range 40 {
			require.NoError(t, tr.Refresh(t.Context()))
			seen[c.asked()[0]] = true
		}
		assert.Len(t, seen, 2, "the two that answered are trusted again, the one that did not is not")
	})

	run(t, "C16 or for a minute", func(t *testing.T) {
		c := newCluster(2, 0)
		tr := ready(t, c, topology.Config{})
		tr.Suspect("10.0.0.1:6379")
		time.Sleep(time.Minute)
		c.asked()
		for range 40 {
			require.NoError(t, tr.Refresh(t.Context()))
		}
		assert.Contains(t, c.asked(), node1Shards)
	})

	run(t, "C22 triggers a refresh", func(t *testing.T) {
		c := newCluster(2, 0)
		tr := ready(t, c, topology.Config{})
		c.view(evenShards(1, 0))
		tr.Suspect("10.0.0.2:6379")
		time.Sleep(time.Second)
		assert.Len(t, tr.Map().Shards(), 1, "the node that was taken out is gone from the map")
	})

	run(t, "E27 an error reply is a proof of life", func(t *testing.T) {
		c := newCluster(2, 0)
		tr := ready(t, c, topology.Config{})
		c.set("10.0.0.1:6379", func(s *server) { s.err = replyError("BUSY Redis is busy running a script") })
		for range 40 {
			require.NoError(t, tr.Refresh(t.Context()))
		}
		n := 0
		for _, call := range c.asked() {
			if call == node1Shards {
				n++
			}
		}
		assert.Greater(t, n, 5, "it goes on to be asked first now and then")
	})
}

func TestTrackerOnChange(t *testing.T) {
	type change struct{ old, new *topology.Map }
	var changes []change
	watch := func() topology.Config {
		changes = nil
		return topology.Config{OnChange: func(old, new *topology.Map) { changes = append(changes, change{old, new}) }}
	}

	run(t, "C29 another order is no change", func(t *testing.T) {
		c := newCluster(5, 2)
		tr := ready(t, c, watch())
		for i := range 10 {
			mixed := evenShards(5, 2)
			slices.Reverse(mixed[i%4:])
			for j := range mixed {
				slices.Reverse(mixed[j].Replicas)
			}
			c.view(mixed)
			require.NoError(t, tr.Refresh(t.Context()))
		}
		assert.Len(t, changes, 1)
		assert.Nil(t, changes[0].old)
		assert.Same(t, tr.Map(), changes[0].new, "the map is the same too")
	})

	run(t, "C29 nor is health, which the map shows all the same", func(t *testing.T) {
		c := newCluster(3, 1)
		tr := ready(t, c, watch())
		ill := evenShards(3, 1)
		ill[1].Replicas[0].Health = "loading"
		c.view(ill)
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Len(t, changes, 1)
		assert.Equal(t, "loading", tr.Map().Shards()[1].Replicas[0].Health)
	})

	run(t, "one per change, in order", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := ready(t, c, watch())
		tr.Moved([]topology.Move{{Slot: 5, Addr: testNode(2).Addr}})
		time.Sleep(10 * time.Second) // a refresh takes it back
		synctest.Wait()
		require.Len(t, changes, 3)
		for i := 1; i < len(changes); i++ {
			assert.Same(t, changes[i-1].new, changes[i].old)
		}
	})

	run(t, "before the waiters of a refresh go on", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := c.track(t, watch())
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Len(t, changes, 1)
	})

	run(t, "a hook may call back, and is not called twice at a time", func(t *testing.T) {
		c := newCluster(3, 0)
		var tr *topology.Tracker
		inside, calls := 0, 0
		tr = c.track(t, topology.Config{OnChange: func(old, new *topology.Map) {
			inside++
			calls++
			assert.Equal(t, 1, inside)
			if old == nil {
				tr.Moved([]topology.Move{{Slot: 5, Addr: testNode(2).Addr}})
			}
			tr.Trigger()
			inside--
		}})
		require.NoError(t, tr.Refresh(t.Context()))
		synctest.Wait()
		assert.Equal(t, 2, calls)
	})
}
