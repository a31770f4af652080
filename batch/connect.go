package batch

import (
	"context"
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

// stop waits for all that is on its way and gives it back. Waits that end with the call's deadline are left to it, so that
// the pools see callers whose time was up and not callers who lost interest.
func (a *arrivals) stop() {
	if a.cancel == nil {
		return
	}
	if end, _ := a.ctx.Deadline(); time.Now().Before(end) {
		a.cancel()
	}
	for ; a.pending > 0; a.pending-- {
		if got := <-a.ch; got.conn != nil {
			got.node.pool.Put(got.conn)
		}
	}
	a.cancel()
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
		case o.timeUp():
			return false
		case !finally(err) && isTimeout(err): // none is idle
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

// recall opens the groups again that wait for a connection to a node which is not the owner of their slots any more: it may be
// that it cannot be dialled because it is gone, and the dial may take longer than its failover. A node that is being dialled
// for so long is suspected, so that news of the cluster are asked for.
func (o *op) recall() {
	if o.arrivals.pending == 0 {
		return
	}
	v := o.c.current()
	for i := range o.runs {
		r := &o.runs[i]
		if !r.awaited || r.first == none || time.Since(r.asked) < readSlice {
			continue
		}
		if r.node.pool.Dialing() {
			o.c.tracker.Suspect(r.node.addr)
		}
		for last := r.last; ; {
			gi := o.pop(r)
			if g := &o.groups[gi]; g.via == nil && v.owner(g.slot) != r.node {
				o.open = append(o.open, gi)
			} else {
				o.push(r, gi)
			}
			if gi == last {
				break
			}
		}
	}
}

func (o *op) arrived(got arrival) {
	o.arrivals.pending--
	if got.err != nil && o.timeUp() {
		return // the wait ended with the call: see giveUp
	}
	r := o.runOf(got.node)
	r.awaited = false
	if r.first == none && got.conn != nil { // its groups have been recalled
		r.node.pool.Put(got.conn)
	} else if got.err != nil {
		o.unavailable(r, got.err)
	} else {
		o.hold(r, got.conn)
	}
}

func (o *op) hold(r *run, nc *conn.Conn) {
	r.conn, r.ready = nc, time.Now()
	nc.SetLimit(o.deadline)
	r.sent0, r.in0 = nc.Sent(), nc.BytesIn()
	o.cancel.hold(nc)
}
