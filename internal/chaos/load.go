package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slotcast/slotcast/routecache"
)

// load is the traffic on the cache. Its methods are safe for concurrent use, each caller with its own random numbers.
type load struct {
	cache *routecache.Cache
	book  *book
	keys  keys
	tell  func(format string, args ...any) // of calls that fail; nil = nobody wants to know

	reads, hits, misses, failed, writes, unstored, calls, cancelled, failedQuiet atomic.Int64

	quiet atomic.Int64 // odd while the cluster is whole and nothing is done to it; changes with each fault

	stop    chan struct{}
	callers sync.WaitGroup
}

const (
	readers = 4
	writers = 2

	quietTime = time.Second // calls with at least that long should not fail in quiet times
)

// start begins the traffic, with random numbers that follow from the seed.
func (l *load) start(seed uint64) {
	l.stop = make(chan struct{})
	for i := range readers {
		rng := rand.New(rand.NewPCG(seed, uint64(100+i)))
		l.callers.Go(func() {
			for l.pause(rng, 10*time.Millisecond) {
				l.readSome(rng, patient(rng))
			}
		})
	}
	for i := range writers {
		rng := rand.New(rand.NewPCG(seed, uint64(200+i)))
		l.callers.Go(func() {
			for l.pause(rng, 40*time.Millisecond) {
				l.writeSome(rng, patient(rng))
			}
		})
	}
}

// end ends the traffic and returns when the last call has.
func (l *load) end() {
	close(l.stop)
	l.callers.Wait()
}

// pause waits for a random time and reports whether to go on.
func (l *load) pause(rng *rand.Rand, longest time.Duration) bool {
	select {
	case <-time.After(upTo(rng, longest)):
		return true
	case <-l.stop:
		return false
	}
}

// patience is how long a caller waits: until a time-out, or until it changes its mind.
type patience struct {
	timeout time.Duration
	cancel  time.Duration // 0 = never
}

// patient returns that of an ordinary caller.
func patient(rng *rand.Rand) patience {
	p := patience{timeout: 200*time.Millisecond + upTo(rng, 1800*time.Millisecond)}
	if rng.IntN(16) == 0 {
		p.cancel = impatient(rng).cancel
	}
	return p
}

// impatient returns that of a caller who cancels within the time a call takes.
func impatient(rng *rand.Rand) patience {
	return patience{timeout: time.Second, cancel: 1 + upTo(rng, 4*time.Millisecond)}
}

// call makes one call of the cache and returns when it was made.
func (l *load) call(p patience, f func(ctx context.Context) error) (begun, done moment, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout)
	defer cancel()
	if p.cancel > 0 {
		timer := time.AfterFunc(p.cancel, cancel)
		defer timer.Stop()
	}
	quiet := l.quiet.Load()
	begun = l.book.now()
	err = f(ctx)
	done = l.book.now()
	l.calls.Add(1)
	switch {
	case p.cancel > 0 && errors.Is(ctx.Err(), context.Canceled):
		l.cancelled.Add(1)
	case err != nil && p.timeout >= quietTime && quiet%2 == 1 && quiet == l.quiet.Load():
		l.failedQuiet.Add(1)
		if l.tell != nil {
			l.tell("failed in quiet times, after %.3f s of %v: %v", seconds(done-begun), p.timeout, err)
		}
	}
	return begun, done, err
}

// readSome reads a batch: mostly some of everything, now and then nearly all there is, or a single key.
func (l *load) readSome(rng *rand.Rand, p patience) {
	n := 1 + rng.IntN(150)
	if rng.IntN(50) == 0 {
		n = 2000
	}
	which := make([]int, n)
	for i := range which {
		which[i] = rng.IntN(l.keys.probes.first)
	}
	l.read(p, which)
}

// read reads the entries and enters the answers.
func (l *load) read(p patience, which []int) ([]routecache.Answer, error) {
	pairs := make([]routecache.Pair, len(which))
	for k, i := range which {
		pairs[k] = l.book.entries[i].pair
	}
	out := make([]routecache.Answer, len(pairs))
	begun, done, err := l.call(p, func(ctx context.Context) error { return l.cache.Get(ctx, pairs, out) })
	var count [routecache.Hit + 1]int64
	for k, i := range which {
		count[out[k].State]++
		l.book.answered(i, out[k], begun, done)
	}
	l.reads.Add(int64(len(which)))
	l.hits.Add(count[routecache.Hit])
	l.misses.Add(count[routecache.Miss])
	l.failed.Add(count[routecache.Failed])
	if (err != nil) != (count[routecache.Failed] > 0) {
		l.book.wrong.Add(1)
		l.book.tell("%d of %d pairs failed, and the error is: %v", count[routecache.Failed], len(which), err)
	}
	return out, err
}

// writeSome writes a batch of neighbours from one of the spans that are written over and over.
func (l *load) writeSome(rng *rand.Rand, p patience) {
	s := l.keys.hot
	if rng.IntN(2) == 0 {
		s = l.keys.brief
	}
	n := 1 + rng.IntN(60)
	first := s.first + rng.IntN(s.len()-n)
	which := make([]int, n)
	for k := range which {
		which[k] = first + k
	}
	l.write(p, which, s.ttl)
}

// write stores a new version of each of the entries, which differ.
func (l *load) write(p patience, which []int, ttl time.Duration) error {
	pairs := make([]routecache.Pair, len(which))
	estimates := make([]routecache.Estimate, len(which))
	versions := make([]uint64, len(which))
	for k, i := range which {
		pairs[k], versions[k] = l.book.entries[i].pair, l.book.issue(i)
		estimates[k] = proof(pairs[k], versions[k])
	}
	begun, done, err := l.call(p, func(ctx context.Context) error { return l.cache.Set(ctx, pairs, estimates, ttl) })
	l.writes.Add(int64(len(which)))
	var partial *routecache.PartialError
	errors.As(err, &partial)
	for k, i := range which {
		if err == nil || partial != nil && partial.Cause(k) == nil {
			l.book.stored(i, write{versions[k], begun, done})
		} else {
			l.unstored.Add(1)
		}
	}
	return err
}
