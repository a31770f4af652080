// Package spare keeps what one call has allocated for the next ones.
package spare

import (
	"sync"
	"time"
)

// List is a list of spare values. Those of the usual size are kept for good, large ones until they have not been needed
// for some seconds. A sync.Pool would forget them at a collection of garbage, and has none for a processor that has not put
// any back, so that now and then a call would have to allocate it all again. The value that was used last is the first to be
// used again, since it is most probably still in a cache. A List is safe for concurrent use.
type List[T any] struct {
	new  func() *T
	most int

	mu           sync.Mutex
	usual, large []*T
	unneeded     int // of the large ones, at the bottom: those that nobody has needed since the last sweep
	sweeper      *time.Timer
}

const (
	// kept is how many values of each kind are kept. With more calls at once some allocate.
	kept = 64

	// sweepEvery is how often large values that nobody has needed since the last sweep are let go.
	sweepEvery = 10 * time.Second
)

// NewList returns an empty list. Values of a size of up to most are of the usual size; what size means is the caller's.
func NewList[T any](most int, new func() *T) *List[T] {
	return &List[T]{new: new, most: most, usual: make([]*T, 0, kept)}
}

// Get returns a value that was put back, or a new one: one of the size that will be needed, if there is one.
func (l *List[T]) Get(size int) *T {
	if v := l.take(size > l.most); v != nil {
		return v
	}
	return l.new()
}

func (l *List[T]) take(large bool) (v *T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !large {
		v = pop(&l.usual)
	}
	if v == nil {
		v = pop(&l.large)
		l.unneeded = min(l.unneeded, len(l.large))
	}
	if v == nil {
		v = pop(&l.usual)
	}
	return v
}

// Put takes back a value which is of the given size now.
func (l *List[T]) Put(v *T, size int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if size <= l.most {
		push(&l.usual, v)
		return
	}
	push(&l.large, v)
	switch {
	case l.sweeper == nil:
		l.sweeper = time.AfterFunc(sweepEvery, l.sweep)
	case len(l.large) == 1:
		l.sweeper.Reset(sweepEvery)
	}
}

// sweep lets go of large values.
func (l *List[T]) sweep() {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := copy(l.large, l.large[l.unneeded:])
	clear(l.large[n:])
	l.large = l.large[:n]
	l.unneeded = n
	if n > 0 {
		l.sweeper.Reset(sweepEvery)
	}
}

func pop[T any](list *[]*T) *T {
	n := len(*list)
	if n == 0 {
		return nil
	}
	v := (*list)[n-1]
	(*list)[n-1] = nil
	*list = (*list)[:n-1]
	return v
}

func push[T any](list *[]*T, v *T) {
	if len(*list) < kept {
		*list = append(*list, v)
	}
}
