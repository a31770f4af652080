package conn

// waiter is a caller who waits for a connection. Exactly one answer is put on ch, unless the waiter leaves first.
type waiter struct {
	ch         chan answer // capacity 1
	prev, next *waiter
	queued     bool
}

type answer struct {
	c   *Conn
	err error
}

// waiters is a queue: first in, first out, and each may leave from the middle. It is guarded by the pool's lock.
type waiters struct {
	head, tail *waiter
	n          int
}

func (q *waiters) push(w *waiter) {
	w.prev, w.queued = q.tail, true
	if q.tail == nil {
		q.head = w
	} else {
		q.tail.next = w
	}
	q.tail = w
	q.n++
}

// remove takes w out and reports whether it was still waiting; if not, its answer is on its channel.
func (q *waiters) remove(w *waiter) bool {
	if !w.queued {
		return false
	}
	if w.prev == nil {
		q.head = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		q.tail = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.prev, w.next, w.queued = nil, nil, false
	q.n--
	return true
}

// answer gives the first waiter its answer and reports whether there was one.
func (q *waiters) answer(c *Conn, err error) bool {
	w := q.head
	if w == nil {
		return false
	}
	q.remove(w)
	w.ch <- answer{c, err}
	return true
}

// fail gives every waiter the same error.
func (q *waiters) fail(err error) {
	for q.answer(nil, err) {
	}
}
