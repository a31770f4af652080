// Package spare keeps what one call has allocated for the next ones. It is the one package under internal that the library
// itself uses.
package spare

import "sync"

// List is a list of spare values. Those of the usual size are kept for good: a sync.Pool forgets them at a collection of
// garbage, and has none for a processor that has not put any back, so that now and then a call would have to allocate
// it all again. Large ones go with the garbage. The one that was used last is the first to be used again, since it is most
// probably still in a cache. A List is safe for concurrent use.
type List[T any] struct {
	new   func() *T
	most  int
	large sync.Pool

	mu    sync.Mutex
	usual []*T
}

// kept is how many values of the usual size are kept. With more calls at once some allocate.
const kept = 64

// NewList returns an empty list. Values of a size of up to most are of the usual size; what size means is the caller's.
func NewList[T any](most int, new func() *T) *List[T] {
	return &List[T]{new: new, most: most, usual: make([]*T, 0, kept)}
}

// Get returns a value that was put back, or a new one.
func (l *List[T]) Get() *T {
	if v := l.pop(); v != nil {
		return v
	}
	if v, ok := l.large.Get().(*T); ok {
		return v
	}
	return l.new()
}

// Put takes back a value which is of the given size now.
func (l *List[T]) Put(v *T, size int) {
	if size > l.most || !l.push(v) {
		l.large.Put(v)
	}
}

func (l *List[T]) pop() *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.usual)
	if n == 0 {
		return nil
	}
	v := l.usual[n-1]
	l.usual[n-1] = nil
	l.usual = l.usual[:n-1]
	return v
}

func (l *List[T]) push(v *T) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.usual) == kept {
		return false
	}
	l.usual = append(l.usual, v)
	return true
}
