// Package spare keeps what one call has allocated for the next ones. It is the one package under internal that the library
// itself uses.
package spare

import "sync"

// List is a list of spare values. Those of the usual size are kept for good: a sync.Pool forgets them at a collection of
// garbage, and has none for a processor that has not put any back, so that now and then a call would have to allocate
// it all again. Large ones go with the garbage. A List is safe for concurrent use.
type List[T any] struct {
	new   func() *T
	most  int
	usual chan *T
	large sync.Pool
}

// kept is how many values of the usual size are kept. With more calls at once some allocate.
const kept = 64

// Init makes the list ready. Values of a size of up to most are of the usual size; what size means is the caller's.
func (l *List[T]) Init(most int, new func() *T) {
	l.new, l.most, l.usual = new, most, make(chan *T, kept)
}

// Get returns a value that was put back, or a new one.
func (l *List[T]) Get() *T {
	select {
	case v := <-l.usual:
		return v
	default:
	}
	if v, ok := l.large.Get().(*T); ok {
		return v
	}
	return l.new()
}

// Put takes back a value which is of the given size now.
func (l *List[T]) Put(v *T, size int) {
	if size <= l.most {
		select {
		case l.usual <- v:
			return
		default:
		}
	}
	l.large.Put(v)
}
