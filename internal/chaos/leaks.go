package main

import (
	"context"
	"errors"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
)

// settleTime is how long what ends by itself may take to do so.
var settleTime = 10 * time.Second

// A census is what must not become more.
type census struct {
	goroutines int
	clients    int // the servers' clients with our name
}

// countFirst counts when nothing that is about to end is left from before.
func (r *chaosRun) countFirst() (census, error) {
	steady, last := 0, 0
	wait(func() bool {
		if now := runtime.NumGoroutine(); now == last {
			steady++
		} else {
			steady, last = 0, now
		}
		return steady == 10
	})
	return r.count()
}

func (r *chaosRun) count() (census, error) {
	c := census{goroutines: runtime.NumGoroutine()}
	for _, n := range r.cluster.Nodes() {
		list, err := n.Do("CLIENT", "LIST", "TYPE", "normal")
		if err != nil {
			return c, err
		}
		c.clients += strings.Count(list.Text, " name="+clientName+" ")
	}
	return c, nil
}

// close closes the cache, fills in the rest of the summary, and looks for leaks.
func (r *chaosRun) close() error {
	l, client := &r.load, r.load.cache.Client()
	lent := 0
	wait(func() bool {
		lent = 0
		for _, n := range client.Stats().Nodes {
			lent += n.InUse
		}
		return lent == 0
	})
	s := &r.sum
	s.TopologyRefreshes = client.Stats().Refreshes
	s.Walks = l.cache.Stats().Walks
	s.Reads, s.Hits, s.Misses, s.Failed = l.reads.Load(), l.hits.Load(), l.misses.Load(), l.failed.Load()
	s.Writes, s.Unstored = l.writes.Load(), l.unstored.Load()
	s.Calls, s.Cancelled, s.FailedQuiet = l.calls.Load(), l.cancelled.Load(), l.failedQuiet.Load()
	s.Wrong, s.FalseMisses, s.Certain = r.book.wrong.Load(), r.book.falseMisses.Load(), r.book.certain.Load()

	err := l.cache.Close()
	var now census
	var countErr error
	wait(func() bool {
		now, countErr = r.count()
		return countErr == nil && now.goroutines <= r.before.goroutines && now.clients <= r.before.clients && r.wires.opened() == 0
	})
	s.LeakedGoroutines = max(0, now.goroutines-r.before.goroutines)
	s.LeakedConns = lent + max(r.wires.opened(), now.clients-r.before.clients, 0)
	if s.LeakedGoroutines > 0 {
		_ = pprof.Lookup("goroutine").WriteTo(r.out, 1)
	}
	return errors.Join(err, countErr)
}

// wait polls until done returns true, but not for ever.
func wait(done func() bool) {
	ctx, cancel := context.WithTimeout(context.Background(), settleTime)
	defer cancel()
	for !done() && sleep(ctx, 20*time.Millisecond) {
	}
}
