package batch

import (
	"context"
	"errors"
	"os"
	"time"
)

// release gives the connection of a run back to its pool. err is what went wrong on it, or nil.
func (o *op) release(r *run, err error) {
	nc := r.conn
	o.cancel.drop(nc)
	o.trace(r, err)
	o.report(r, err)
	stale := r.stale
	if stale {
		nc.Fail(errStale)
	}
	r.node.pool.Put(nc)
	if stale {
		r.node.pool.Flush()
	}
	o.setPartly(r, false)
	*r = run{node: r.node, first: r.first, unsent: r.unsent, last: r.last} // flight is 0: nothing is owed any more
}

func (o *op) trace(r *run, err error) {
	t := o.c.cfg.Trace
	if t == nil || t.NodeDone == nil {
		return
	}
	info := NodeInfo{
		Addr: r.node.addr, Write: o.writing(), Commands: r.commands, Keys: r.keys,
		BytesOut: r.conn.Sent() - r.sent0, BytesIn: r.conn.BytesIn() - r.in0,
		Wait: r.ready.Sub(r.asked), Total: time.Since(r.asked), Err: err,
	}
	if !r.firstByte.IsZero() {
		info.FirstByte = r.firstByte.Sub(r.ready)
	}
	t.NodeDone(info)
}

// report tells the breaker of the run's node, and the tracker, what the end of a run says about the node's health. Replies
// are signs of life, whatever they say, except that the node cannot serve. A connection that had served before, or
// that had answered something, says by its end nothing but that it has ended: whether the node is still there shows when
// it is dialled again. And a caller that goes away early says nothing at all.
func (o *op) report(r *run, err error) {
	switch {
	case err == nil || errors.Is(err, r.unwell):
		r.node.pool.Report(err)
		return
	case r.heard, distrusted(err), errors.Is(err, context.Canceled):
		return
	case isTimeout(err):
		if !o.silent(r.ready, err) || r.conn.Arrived() {
			return
		}
		err = os.ErrDeadlineExceeded // not the caller's own error: others will read it as the breaker's cause
	case r.conn.Reused():
		return
	}
	r.node.pool.Report(err)
	o.c.tracker.Suspect(r.node.addr)
}

// suspectAfter is how long a node must have been silent for the end of a call to count against it. A caller in a hurry
// says nothing about the node.
const suspectAfter = 10 * time.Millisecond

// silent reports whether a wait that began then and was ended by err says that there is something wrong with the node.
func (o *op) silent(since time.Time, err error) bool {
	return isTimeout(err) && time.Since(since) >= suspectAfter
}
