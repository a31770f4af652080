package batch

import (
	"context"
	"errors"
	"time"

	"github.com/slotcast/slotcast/conn"
)

// arrivals are the connections that an op waits for, because no idle one was to be had.
type arrivals struct {
	ch      chan arrival
	pending int
	ctx     context.Context
	cancel  context.CancelFunc
}

type arrival struct {
	node *node
	conn *conn.Conn
	err  error
}

// want asks for a connection in a goroutine of its own: the nodes that have one need not wait for it.
func (a *arrivals) want(o *op, n *node) {
	if a.ch == nil {
		a.ch = make(chan arrival)
	}
	if a.cancel == nil {
		a.ctx, a.cancel = context.WithDeadline(o.ctx, o.deadline)
	}
	a.pending++
	go func(ctx context.Context, ch chan<- arrival) {
		nc, err := n.pool.Get(ctx)
		ch <- arrival{n, nc, err}
	}(a.ctx, a.ch)
}

// stop waits for all that is on its way and gives it back.
func (a *arrivals) stop() {
	if a.cancel == nil {
		return
	}
	a.cancel()
	for ; a.pending > 0; a.pending-- {
		if got := <-a.ch; got.conn != nil {
			got.node.pool.Put(got.conn)
		}
	}
	a.ctx, a.cancel = nil, nil
}

// connected reports whether the run has a connection, after seeing to it that it will get one.
func (o *op) connected(r *run) bool {
	if r.conn == nil && !r.awaited {
		r.asked = time.Now()
		nc, err := r.node.pool.GetUntil(o.ctx, time.Time{}) // does not wait
		switch {
		case err == nil:
			o.hold(r, nc)
		case isTimeout(err):
			r.awaited = true
			o.arrivals.want(o, r.node)
		default:
			o.unavailable(r, err)
		}
	}
	if r.awaited {
		select {
		case got := <-o.arrivals.ch:
			o.arrived(got)
		default:
		}
	}
	return r.conn != nil
}

func (o *op) arrived(got arrival) {
	o.arrivals.pending--
	r := o.runOf(got.node)
	r.awaited = false
	switch {
	case got.err == nil:
		o.hold(r, got.conn)
	case o.timeUp():
		// The loop gives up for all nodes at once.
	default:
		o.unavailable(r, got.err)
	}
}

func (o *op) hold(r *run, nc *conn.Conn) {
	r.conn, r.ready = nc, time.Now()
	nc.SetLimit(o.deadline)
	r.sent0, r.in0 = nc.Sent(), nc.BytesIn()
	o.cancel.hold(nc)
}

// suspectAfter is how long a node must have been silent for the end of a call to count against it. A caller in a hurry
// says nothing about the node.
const suspectAfter = 10 * time.Millisecond

// telling reports whether the outcome of a run says something about the health of its node. Error replies are signs of
// life.
func (o *op) telling(r *run, err error) bool {
	switch {
	case err == nil || errors.Is(err, r.unwell):
		return true
	case distrusted(err):
		return false
	case isTimeout(err) || errors.Is(err, context.Canceled):
		return !r.heard && time.Since(r.ready) >= suspectAfter
	}
	return true
}

// release gives the connection of a run back to its pool. err is what went wrong on it, or nil.
func (o *op) release(r *run, err error) {
	nc := r.conn
	o.cancel.drop(nc)
	if t := o.c.cfg.Trace; t != nil && t.NodeDone != nil {
		info := NodeInfo{
			Addr: r.node.addr, Commands: r.commands, Keys: r.keys, BytesOut: nc.Sent() - r.sent0, BytesIn: nc.BytesIn() - r.in0,
			Wait: r.ready.Sub(r.asked), Total: time.Since(r.asked), Err: err,
		}
		if !r.firstByte.IsZero() {
			info.FirstByte = r.firstByte.Sub(r.ready)
		}
		t.NodeDone(info)
	}
	if o.telling(r, err) {
		r.node.pool.Report(err)
	}
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
