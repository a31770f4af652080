package batch

import (
	"context"
	"errors"
	"net"
	"os"
	"time"
)

// exchange sends and receives until every group is done, or the time is up. One goroutine talks to all nodes of a batch:
// it writes to each before it reads from any, and reads from them in turn, each for a slice of time (see slice.go).
func (o *op) exchange() {
	for {
		o.patch()
		o.recall()
		o.assign()
		if o.done() {
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
				o.receive(r)
				talked = true
			}
		}
		if !talked && len(o.open) == 0 && !o.done() { // what was left may just have been refused
			o.idle(o.within(readSlice))
		}
		o.awaken()
	}
}

// done reports whether no group is in a queue or waits. Those in open are looked at next.
func (o *op) done() bool { return o.busy == 0 && len(o.waiting) == 0 && len(o.unserved) == 0 }

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

// giveUp fails everything that is not done.
func (o *op) giveUp() {
	err := o.ended()
	for i := range o.runs {
		r := &o.runs[i]
		if r.first == none {
			continue
		}
		for r.first != none {
			o.failLate(o.pop(r), r.node.addr, err)
		}
		if r.conn != nil {
			o.release(r, err)
		} else if r.awaited && o.silent(r.asked, err) {
			o.c.tracker.Suspect(r.node.addr)
		}
	}
	for _, s := range o.waiting {
		o.failLate(s.gi, "", err)
	}
	o.waiting = o.waiting[:0]
	for _, gi := range o.unserved {
		o.failLate(gi, "", err)
	}
	o.unserved = o.unserved[:0]
}

// failLate fails a group because the time is up. If it was refused before, that is told too.
func (o *op) failLate(gi int32, addr string, err error) {
	if f := o.groups[gi].refusal; f != nil {
		addr, err = f.addr, f.joined(err)
	}
	o.fail(gi, addr, err)
}

// fail records the open items of a group as failed.
func (o *op) fail(gi int32, addr string, err error) {
	g := &o.groups[gi]
	o.failures.add(o.order[g.from:g.to], addr, g.slot, err)
	g.from = g.to
}
