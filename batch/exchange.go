package batch

import (
	"context"
	"errors"
	"net"
	"os"
	"time"
)

// One goroutine talks to all nodes of a batch. It writes to each node before it reads from any, and reads from them in
// turn. While several nodes still owe something it waits for each of them only a slice of time, so that a node that is
// slow, or does not answer at all, keeps nobody else's answers: reads and writes go on where a slice ended.
const (
	firstSlice = time.Millisecond
	longSlice  = 32 * time.Millisecond
	leastSlice = 50 * time.Microsecond

	// writeSlice is longer: the kernel takes a request at once, unless the node does not read, and then only the first
	// hundred kilobytes or so.
	writeSlice = 20 * time.Millisecond
)

// exchange sends and receives until every group is done, or the time is up.
func (o *op) exchange() {
	slice := firstSlice
	for {
		o.assign()
		if o.busy == 0 && len(o.waiting) == 0 && len(o.unserved) == 0 {
			return
		}
		if o.timeUp() {
			o.giveUp()
			return
		}
		for i := range o.runs {
			if r := &o.runs[i]; r.first != none && o.connected(r) {
				o.send(r)
			}
		}
		talked := false
		for i := range o.runs {
			if r := &o.runs[i]; r.first != none && r.conn != nil {
				o.receive(r, slice)
				talked = true
			}
		}
		if !talked && len(o.open) == 0 {
			o.idle(o.until(slice))
		}
		o.awaken()
		slice = min(2*slice, longSlice)
	}
}

// until is how long to wait for one node now.
func (o *op) until(slice time.Duration) time.Time {
	now := time.Now()
	rivals := o.busy
	if len(o.waiting) > 0 {
		rivals++
	}
	if len(o.unserved) > 0 {
		rivals++
	}
	if rivals <= 1 && o.partial == 0 {
		return o.deadline
	}
	// As the deadline comes closer the slices shrink, so that each node is looked at again just before it.
	left := o.deadline.Sub(now) / time.Duration(2*max(rivals, 1))
	until := now.Add(max(min(slice, left), leastSlice))
	if len(o.waiting) > 0 && o.wake.Before(until) {
		until = o.wake
		if soon := now.Add(leastSlice); until.Before(soon) {
			until = soon
		}
	}
	return until
}

func (o *op) timeUp() bool {
	return o.ctx.Err() != nil || !time.Now().Before(o.deadline)
}

// ended is why the time is up: the caller's context, or else the client's own limit.
func (o *op) ended() error {
	if err := o.ctx.Err(); err != nil {
		return err
	}
	if end, ok := o.ctx.Deadline(); ok && !time.Now().Before(end) {
		return context.DeadlineExceeded // the context's own timer is just about to say so
	}
	return os.ErrDeadlineExceeded
}

func isTimeout(err error) bool {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return true
	}
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// assign puts the open groups into the queues of the nodes that own their slots, or where ASK sent them, after one patch
// of the map for all that were moved.
func (o *op) assign() {
	if len(o.open) == 0 {
		return
	}
	if len(o.moves) > 0 {
		o.c.tracker.Moved(o.moves)
		o.moves = o.moves[:0]
	}
	v := o.c.current()
	for at := 0; at < len(o.open); at++ { // grows while it is read: see singly
		gi := o.open[at]
		g := &o.groups[gi]
		if !g.single && g.size() > 1 && o.c.moving.includes(g.slot) {
			o.singly(gi)
			continue
		}
		n := g.via
		if n == nil {
			n = v.owner(g.slot)
		}
		if n == nil {
			o.uncovered(gi)
			continue
		}
		o.push(o.runOf(n), gi)
	}
	o.open = o.open[:0]
}

// singly opens the items of a group one by one, each a group of its own, since their slot is being migrated.
func (o *op) singly(gi int32) {
	first, end := o.split(gi, 1)
	for gi := first; gi < end; gi++ {
		o.groups[gi].single = true
		o.open = append(o.open, gi)
	}
}

// giveUp fails everything that is not done.
func (o *op) giveUp() {
	err := o.ended()
	for i := range o.runs {
		r := &o.runs[i]
		if r.first == none {
			continue
		}
		for r.first != none {
			o.fail(o.pop(r), r.node.addr, err)
		}
		if r.conn != nil {
			o.release(r, err)
		}
	}
	for _, list := range []*[]int32{&o.waiting, &o.unserved} {
		for _, gi := range *list {
			o.fail(gi, "", err)
		}
		*list = (*list)[:0]
	}
}

// fail records the open items of a group as failed. A group that was refused before says so too.
func (o *op) fail(gi int32, addr string, err error) {
	g := &o.groups[gi]
	if g.refusal != nil {
		addr, err = g.refusal.addr, g.refusal.joined(err)
	}
	o.failures.add(o.order[g.from:g.to], addr, g.slot, err)
	g.from = g.to
}
