package main

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slotcast/slotcast/routecache"
)

// moment is a time since the book was opened.
type moment time.Duration

const (
	never moment = math.MinInt64

	// grace is how long before the end of its time to live a key may be gone already: clocks of a server that was stopped.
	grace = moment(500 * time.Millisecond)
	// longestCall is longer than any call takes.
	longestCall = moment(10 * time.Second)
)

// A book keeps account of the writes that must be readable. It is safe for concurrent use.
//
// A write counts from its acknowledgement until it expires or until a loss that it may not have survived. A miss is judged
// only when it is known what the present fault has cost: until then it is a suspect, together with the writes that
// speak against it.
type book struct {
	opened  time.Time
	entries []entry
	tell    func(format string, args ...any) // of what is wrong

	wrong, falseMisses, certain atomic.Int64

	mu       sync.RWMutex
	secured  map[uint16]moment // by slot: what was acknowledged by then is on the replica too
	losses   []loss            // those that calls under way may still meet
	suspects []suspect
}

// An entry is one key of the book.
type entry struct {
	pair   routecache.Pair
	slot   uint16
	ttl    time.Duration
	issued atomic.Uint64 // the newest version

	mu     sync.Mutex
	writes []write // acknowledged, and not known to be lost, in the order of acknowledgement
}

// A write was called for, and was acknowledged, at these moments.
type write struct {
	version     uint64
	begun, done moment
}

// A suspect is a miss that one of the writes would make a false one.
type suspect struct {
	entry       *entry
	writes      []write
	begun, done moment // of the read
}

func newBook(n int, tell func(format string, args ...any)) *book {
	return &book{opened: time.Now(), entries: make([]entry, n), tell: tell, secured: map[uint16]moment{}}
}

func (b *book) now() moment { return moment(time.Since(b.opened)) }

// issue returns the version of the next write of entry i.
func (b *book) issue(i int) uint64 { return b.entries[i].issued.Add(1) }

// stored enters an acknowledged write of entry i.
func (b *book) stored(i int, w write) {
	e := &b.entries[i]
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, l := range b.losses {
		if !l.spares(e.slot, w) {
			return
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.writes = append(e.writes, w)
	e.prune(b.securedAt(e.slot), w.done)
}

// prune forgets writes that say nothing which a later one does not. Calls under way may still have to do with what is newer
// than the longest call.
func (e *entry) prune(secured, now moment) {
	old := 0
	for old+1 < len(e.writes) {
		next := e.writes[old+1]
		if next.done > secured || next.done > now-longestCall {
			break
		}
		old++
	}
	e.writes = slices.Delete(e.writes, 0, old)
}

// alive returns the writes that a read between the two moments had to find.
func (e *entry) alive(begun, done moment) (writes []write) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, w := range e.writes {
		if e.binds(w, begun, done) {
			writes = append(writes, w)
		}
	}
	return writes
}

// present reports whether there is any.
func (e *entry) present(begun, done moment) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.writes, func(w write) bool { return e.binds(w, begun, done) })
}

// binds reports whether a read between the two moments had to find the write, or a later one.
func (e *entry) binds(w write, begun, done moment) bool {
	return w.done <= begun && done+grace < w.begun+moment(e.ttl)
}

// answered checks what a read of entry i, between the two moments, was told.
func (b *book) answered(i int, a routecache.Answer, begun, done moment) {
	e := &b.entries[i]
	switch a.State {
	case routecache.Hit:
		version, ok := proven(e.pair, a.Estimate)
		if newest := e.issued.Load(); !ok || version == 0 || version > newest {
			b.wrong.Add(1)
			b.tell("wrong value for %s: %v, which is %s", e.name(), a.Estimate, b.origin(a.Estimate))
			return
		}
		if e.present(begun, done) {
			b.certain.Add(1)
		}
	case routecache.Miss:
		b.mu.Lock()
		defer b.mu.Unlock()
		if writes := e.alive(begun, done); len(writes) > 0 {
			b.suspects = append(b.suspects, suspect{e, writes, begun, done})
		}
	}
}

// settle makes false misses of the suspects: all that was lost until now has been entered.
func (b *book) settle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.suspects {
		b.falseMisses.Add(1)
		w := s.writes[len(s.writes)-1]
		b.tell("false miss of %s: written at %.3f–%.3f s, read at %.3f–%.3f s, secured at %.3f s", s.entry.name(),
			seconds(w.begun), seconds(w.done), seconds(s.begun), seconds(s.done), seconds(b.securedAt(s.entry.slot)))
	}
	b.suspects = nil
	end := b.now() - longestCall
	b.losses = slices.DeleteFunc(b.losses, func(l loss) bool { return l.until < end })
}

func (e *entry) name() string {
	return fmt.Sprintf("%v:%v, slot %d, ttl %v, version %d", e.pair.Origin, e.pair.Dest, e.slot, e.ttl, e.issued.Load())
}

// origin says whose value a wrong one is.
func (b *book) origin(estimate routecache.Estimate) string {
	for i := range b.entries {
		if version, ok := proven(b.entries[i].pair, estimate); ok {
			return "that of " + b.entries[i].name() + fmt.Sprintf(", version %d", version)
		}
	}
	return "nobody's"
}

func seconds(m moment) float64 { return time.Duration(m).Seconds() }
