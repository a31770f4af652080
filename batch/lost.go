package batch

import (
	"errors"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/resp"
)

// errStale is why a connection is dropped that leads to a node which does not have the role the map gives it.
var errStale = errors.New("node has changed its role or address")

// lost drops a connection that broke, or whose stream cannot be trusted. Of the groups it owed, those of a broken
// connection are sent again (a read changes nothing, and a write may be repeated), those of a bad stream fail: the same
// question might well get the same answer.
func (o *op) lost(r *run, err error) {
	o.c.counts.lost.Add(1)
	err = r.conn.Fail(err)
	bad := distrusted(err)
	for r.first != r.unsent {
		gi := o.pop(r)
		if bad {
			o.fail(gi, r.node.addr, err)
		} else {
			o.again(gi, r.node.addr, err)
		}
	}
	o.release(r, err)
}

// distrusted reports whether err means that what was read cannot be right, rather than that the connection broke.
func distrusted(err error) bool {
	var protocol *resp.ProtocolError
	return errors.Is(err, ErrShape) || errors.As(err, &protocol)
}

// unavailable deals with a node that no connection can be had to. Where the breaker answers for it its groups fail at
// once, else they are tried again.
func (o *op) unavailable(r *run, err error) {
	o.c.tracker.Suspect(r.node.addr)
	final := finally(err)
	gone := errors.Is(err, conn.ErrPoolClosed) // the node has left the cluster
	if gone && o.c.closed.Load() {
		final, err = true, ErrClosed
	}
	for r.first != none {
		gi := o.pop(r)
		if final {
			o.fail(gi, r.node.addr, err)
			continue
		}
		if gone {
			o.groups[gi].via, o.groups[gi].asking = nil, false
		}
		o.wait(gi, r.node.addr, err)
	}
}

// finally reports whether it is of no use to ask the pool again within this call.
func finally(err error) bool {
	return errors.Is(err, conn.ErrBreakerOpen) || errors.Is(err, conn.ErrAuth) || errors.Is(err, conn.ErrNotRedis)
}

// again sends a group again whose connection was lost, at once the first time: an idle connection may have been closed
// by the server just before. Since the size of the reply may be what the server did not like, it is halved.
func (o *op) again(gi int32, addr string, err error) {
	g := &o.groups[gi]
	if g.size() == 0 {
		return
	}
	first, end := gi, gi+1
	if g.size() > 1 {
		first, end = o.split(gi, int32(g.size()+1)/2)
	}
	for gi := first; gi < end; gi++ {
		if g := &o.groups[gi]; g.tries == 0 {
			g.tries++
			g.refusal = &refusal{addr, err}
			o.open = append(o.open, gi)
		} else {
			o.wait(gi, addr, err)
		}
	}
}
