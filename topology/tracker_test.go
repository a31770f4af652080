package topology_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/topology"
)

// run is a test in a bubble of its own, in which time passes only while all sleep.
func run(t *testing.T, name string, f func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

func TestTrackerRefresh(t *testing.T) {
	run(t, "first refresh", func(t *testing.T) {
		c := newCluster(3, 1)
		tr := c.track(t, topology.Config{})
		require.Nil(t, tr.Map())
		require.NoError(t, tr.Refresh(t.Context()))
		assert.True(t, tr.Map().Equal(newMap(t, evenShards(3, 1)...)))
		assert.Equal(t, []string{"10.0.0.1:6379 CLUSTER SHARDS"}, c.asked())
	})

	run(t, "callers at the same time share one", func(t *testing.T) {
		c := newCluster(3, 0)
		c.setAll(func(s *server) { s.delay = 100 * time.Millisecond })
		tr := c.track(t, topology.Config{})
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { assert.NoError(t, tr.Refresh(t.Context())) })
		}
		wg.Wait()
		assert.Len(t, c.asked(), 1)
	})

	run(t, "every waiter gets the error of the refresh it waited for", func(t *testing.T) {
		c := newCluster(3, 0)
		c.setAll(func(s *server) { s.err = errRefused; s.delay = 100 * time.Millisecond })
		tr := c.track(t, topology.Config{})
		errs := make(chan error, 50)
		for range 50 {
			go func() { errs <- tr.Refresh(t.Context()) }()
		}
		for range 50 {
			err := <-errs
			assert.ErrorIs(t, err, errRefused)
			assert.ErrorContains(t, err, "10.0.0.1:6379: connection refused")
		}
		assert.Nil(t, tr.Map())
		c.setAll(func(s *server) { s.err = nil })
		require.NoError(t, tr.Refresh(t.Context()), "an error is not kept")
	})

	run(t, "a caller that gives up leaves the refresh to the others", func(t *testing.T) {
		c := newCluster(1, 0)
		c.setAll(func(s *server) { s.delay = time.Second })
		tr := c.track(t, topology.Config{})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		other := make(chan error, 1)
		go func() { other <- tr.Refresh(t.Context()) }()
		start := time.Now()
		assert.ErrorIs(t, tr.Refresh(ctx), context.DeadlineExceeded)
		assert.Equal(t, 10*time.Millisecond, time.Since(start))
		assert.NoError(t, <-other)
		assert.Len(t, c.asked(), 1)
	})

	run(t, "C19 readers see the old map while a dead node is dialled", func(t *testing.T) {
		c := newCluster(1, 0)
		tr := c.track(t, topology.Config{})
		require.NoError(t, tr.Refresh(t.Context()))
		before := tr.Map()
		c.setAll(func(s *server) { s.delay = time.Hour })
		tr.Trigger()
		time.Sleep(time.Second) // in the middle of the wait for the node
		start := time.Now()
		assert.Same(t, before, tr.Map())
		tr.Trigger()
		tr.Suspect("10.0.0.1:6379")
		tr.Moved([]topology.Move{{Slot: 1, Addr: "10.0.0.9:6379"}})
		assert.Zero(t, time.Since(start), "nothing waits for the node")
		assert.Equal(t, "10.0.0.9:6379", tr.Map().Shards()[tr.Map().ShardOf(1)].Primary.Addr)
	})

	run(t, "C19 a node that does not answer costs its own timeout only", func(t *testing.T) {
		c := newCluster(3, 0)
		c.set("10.0.0.1:6379", func(s *server) { s.delay = time.Hour })
		tr := c.track(t, topology.Config{Seeds: []string{"10.0.0.1:6379", "10.0.0.2:6379"}, Timeout: time.Second})
		start := time.Now()
		require.NoError(t, tr.Refresh(t.Context()))
		assert.LessOrEqual(t, time.Since(start), time.Second)
	})
}

func TestTrackerJoins(t *testing.T) {
	run(t, "a refresh under way will do", func(t *testing.T) {
		c := newCluster(1, 0)
		c.setAll(func(s *server) { s.delay = 100 * time.Millisecond })
		tr := c.track(t, topology.Config{})
		go func() { _ = tr.Refresh(t.Context()) }()
		time.Sleep(50 * time.Millisecond)
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Len(t, c.asked(), 1)
	})

	run(t, "not when there was news since it began", func(t *testing.T) {
		c := newCluster(1, 0)
		c.setAll(func(s *server) { s.delay = 100 * time.Millisecond })
		tr := c.track(t, topology.Config{})
		go func() { _ = tr.Refresh(t.Context()) }()
		time.Sleep(50 * time.Millisecond)
		tr.Trigger()
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Len(t, c.asked(), 2)
	})

	run(t, "triggers coalesce", func(t *testing.T) {
		c := newCluster(1, 0)
		c.setAll(func(s *server) { s.delay = 100 * time.Millisecond })
		tr := c.track(t, topology.Config{})
		for range 100 {
			tr.Trigger()
		}
		time.Sleep(50 * time.Millisecond) // the first is under way
		for range 100 {
			tr.Trigger()
		}
		time.Sleep(time.Minute)
		assert.Len(t, c.asked(), 2)
	})
}

func TestTrackerClose(t *testing.T) {
	run(t, "waits for what is under way, and fails those who wait", func(t *testing.T) {
		c := newCluster(1, 0)
		c.setAll(func(s *server) { s.delay = time.Hour })
		tr := c.track(t, topology.Config{})
		errs := make(chan error, 2)
		go func() { errs <- tr.Refresh(t.Context()) }()
		time.Sleep(time.Millisecond)
		tr.Trigger()
		go func() { errs <- tr.Refresh(t.Context()) }() // the one after
		synctest.Wait()
		start := time.Now()
		tr.Close()
		assert.Zero(t, time.Since(start))
		assert.ErrorIs(t, <-errs, topology.ErrClosed)
		assert.ErrorIs(t, <-errs, topology.ErrClosed)
	})

	run(t, "afterwards nothing is asked", func(t *testing.T) {
		c := newCluster(1, 0)
		tr := c.track(t, topology.Config{})
		tr.Start()
		require.NoError(t, tr.Refresh(t.Context()))
		tr.Close()
		tr.Close()
		c.asked()
		m := tr.Map()
		assert.ErrorIs(t, tr.Refresh(t.Context()), topology.ErrClosed)
		tr.Trigger()
		tr.Suspect("10.0.0.1:6379")
		tr.Moved([]topology.Move{{Slot: 1, Addr: "10.0.0.9:6379"}})
		tr.Start()
		time.Sleep(time.Hour)
		assert.Empty(t, c.asked())
		assert.Same(t, m, tr.Map(), "the map stays")
	})
}

func TestTrackerWithoutSeeds(t *testing.T) {
	run(t, "the error says so", func(t *testing.T) {
		tr := newCluster(1, 0).track(t, topology.Config{Seeds: []string{}})
		err := tr.Refresh(t.Context())
		assert.ErrorContains(t, err, "no seeds are configured")
		assert.True(t, errors.As(err, new(*topology.SeedsError)))
	})
}

func TestTrackerRefreshInfo(t *testing.T) {
	run(t, "one per refresh", func(t *testing.T) {
		c := newCluster(1, 0)
		c.setAll(func(s *server) { s.delay = 30 * time.Millisecond })
		var infos []topology.RefreshInfo
		tr := c.track(t, topology.Config{OnRefresh: func(i topology.RefreshInfo) { infos = append(infos, i) }})
		require.NoError(t, tr.Refresh(t.Context()))
		c.setAll(func(s *server) { s.err = errRefused })
		require.Error(t, tr.Refresh(t.Context()))
		require.Len(t, infos, 2)
		assert.Equal(t, topology.RefreshInfo{Addr: "10.0.0.1:6379", Calls: 1, Duration: 30 * time.Millisecond}, infos[0])
		assert.ErrorIs(t, infos[1].Err, errRefused)
		infos[1].Err = nil
		assert.Equal(t, topology.RefreshInfo{Calls: 1, Duration: 30 * time.Millisecond}, infos[1])
	})
}
