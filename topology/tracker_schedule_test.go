package topology_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/topology"
)

func TestTrackerInterval(t *testing.T) {
	run(t, "C18 10,000 MOVED in a second cost at most 5 topology calls", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := c.track(t, topology.Config{})
		require.NoError(t, tr.Refresh(t.Context()))
		for i := range 10_000 {
			// The slots wander about, so there is always news, and the nodes do not know of any.
			tr.Moved([]topology.Move{{Slot: uint16(i % 7), Addr: testNode(1 + i/50%3).Addr}})
			time.Sleep(100 * time.Microsecond)
		}
		calls := len(c.asked())
		assert.LessOrEqual(t, calls, 5)
		assert.Greater(t, calls, 1)
	})

	run(t, "C18 the interval holds after successes too, and grows under pressure", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := c.track(t, topology.Config{MinInterval: 100 * time.Millisecond})
		const window = 10 * time.Second
		for start := time.Now(); time.Since(start) < window; time.Sleep(time.Millisecond) {
			tr.Trigger()
		}
		c.mu.Lock()
		times := c.times
		c.mu.Unlock()
		require.Greater(t, len(times), 5)
		for i := 1; i < len(times); i++ {
			least := 100 * time.Millisecond << min(i-1, 2) // 100, 200, 400, 400, …
			gap := times[i].Sub(times[i-1])
			assert.GreaterOrEqual(t, gap, least*75/100, "gap %d", i)
			assert.LessOrEqual(t, gap, least*125/100+2*time.Millisecond, "gap %d", i)
		}
	})

	run(t, "C18 after a pause the interval is the least one again", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := c.track(t, topology.Config{MinInterval: 100 * time.Millisecond})
		for range 10 {
			require.NoError(t, tr.Refresh(t.Context()))
		}
		time.Sleep(time.Minute)
		require.NoError(t, tr.Refresh(t.Context()))
		start := time.Now()
		require.NoError(t, tr.Refresh(t.Context()))
		assert.LessOrEqual(t, time.Since(start), 125*time.Millisecond)
		assert.GreaterOrEqual(t, time.Since(start), 75*time.Millisecond)
	})

	run(t, "C18 clients do not move in step", func(t *testing.T) {
		gaps := make(map[time.Duration]bool)
		for range 20 {
			tr := newCluster(1, 0).track(t, topology.Config{})
			require.NoError(t, tr.Refresh(t.Context()))
			start := time.Now()
			require.NoError(t, tr.Refresh(t.Context()))
			gaps[time.Since(start)] = true
		}
		assert.Greater(t, len(gaps), 10)
	})

	run(t, "failures wait as well", func(t *testing.T) {
		c := newCluster(1, 0)
		c.setAll(func(s *server) { s.err = errRefused })
		tr := c.track(t, topology.Config{MinInterval: 100 * time.Millisecond})
		start := time.Now()
		for range 3 {
			require.Error(t, tr.Refresh(t.Context()))
		}
		assert.GreaterOrEqual(t, time.Since(start), 225*time.Millisecond) // 75 % of 100 and 200
	})
}

func TestTrackerPeriod(t *testing.T) {
	run(t, "refreshes by itself, give or take a tenth", func(t *testing.T) {
		c := newCluster(1, 0)
		tr := c.track(t, topology.Config{Period: time.Minute})
		tr.Start()
		tr.Start()
		time.Sleep(time.Hour)
		calls := len(c.asked())
		assert.GreaterOrEqual(t, calls, 54)
		assert.LessOrEqual(t, calls, 68)
	})

	run(t, "counts from the last refresh, whatever caused it", func(t *testing.T) {
		c := newCluster(1, 0)
		tr := c.track(t, topology.Config{Period: time.Minute})
		tr.Start()
		for range 20 {
			time.Sleep(50 * time.Second)
			require.NoError(t, tr.Refresh(t.Context()))
		}
		assert.Len(t, c.asked(), 21)
	})

	run(t, "a refresh under way counts", func(t *testing.T) {
		c := newCluster(1, 0)
		c.setAll(func(s *server) { s.delay = 100 * time.Millisecond })
		tr := c.track(t, topology.Config{Period: time.Minute})
		tr.Trigger()
		time.Sleep(50 * time.Millisecond)
		tr.Start()
		time.Sleep(time.Second)
		assert.Len(t, c.asked(), 1)
	})

	run(t, "not before Start", func(t *testing.T) {
		c := newCluster(1, 0)
		c.track(t, topology.Config{Period: time.Minute})
		time.Sleep(time.Hour)
		assert.Empty(t, c.asked())
	})

	run(t, "not when negative", func(t *testing.T) {
		c := newCluster(1, 0)
		c.track(t, topology.Config{Period: -1}).Start()
		time.Sleep(time.Hour)
		assert.Empty(t, c.asked())
	})

	run(t, "D16 after a failure it is tried again soon, without anybody asking", func(t *testing.T) {
		c := newCluster(1, 0)
		c.setAll(func(s *server) { s.err = replyError("CLUSTERDOWN The cluster is down") })
		tr := c.track(t, topology.Config{Period: time.Hour, MinInterval: 100 * time.Millisecond})
		tr.Start()
		time.Sleep(10 * time.Second)
		calls := len(c.asked())
		assert.GreaterOrEqual(t, calls, 10)
		assert.LessOrEqual(t, calls, 14)
		c.setAll(func(s *server) { s.err = nil })
		time.Sleep(time.Second)
		assert.NotNil(t, tr.Map())
	})
}
