package batch

import "time"

// While several nodes still owe something, each is waited for only a slice of time, so that a node that is slow, or does
// not answer at all, keeps nobody else's answers: reads and writes go on where a slice ended. A slice that ends costs
// allocations (package net makes an error), so it is longer than a healthy node takes. It delays nobody's answers, which
// arrive meanwhile, but what follows from them: a redirect, the next piece of a large batch.
const (
	readSlice  = 50 * time.Millisecond
	leastSlice = 50 * time.Microsecond

	// writeSlice also bounds the write to a lone node: one that reads no more until its replies are read
	// (https://github.com/redis/redis/pull/14667) would never let the write end. The kernel takes a request at once
	// otherwise.
	writeSlice = 20 * time.Millisecond

	// partlySlice bounds the read between two parts of a write.
	partlySlice = time.Millisecond
)

// until is how long to wait for one node now: to the end where nothing else is to be done.
func (o *op) until(slice time.Duration) time.Time {
	if o.rivals() <= 1 && o.partial == 0 {
		return o.deadline
	}
	return o.within(slice)
}

// within is the end of a slice that begins now. As the deadline comes closer the slices shrink, so that each node is looked
// at again just before it.
func (o *op) within(slice time.Duration) time.Time {
	now := time.Now()
	left := o.deadline.Sub(now) / time.Duration(2*max(o.rivals(), 1))
	until := now.Add(max(min(slice, left), leastSlice))
	if len(o.waiting) > 0 && o.wake.Before(until) {
		until = o.wake
		if soon := now.Add(leastSlice); until.Before(soon) {
			until = soon
		}
	}
	return until
}

// rivals is how many things the op waits for.
func (o *op) rivals() int {
	n := o.busy
	if len(o.waiting) > 0 {
		n++
	}
	if len(o.unserved) > 0 {
		n++
	}
	return n
}
