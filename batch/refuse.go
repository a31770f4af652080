package batch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/topology"
)

// A refusal is the last answer that made a group wait.
type refusal struct {
	addr string
	err  error
}

// joined adds why the waiting ended.
func (f *refusal) joined(end error) error {
	if f.err == end { //nolint:errorlint // identity is meant: the very same refusal
		return end
	}
	return fmt.Errorf("%w, after: %w", end, f.err)
}

// refuse deals with a group whose command was answered with an error. line is a view of the reader's buffer.
func (o *op) refuse(r *run, gi int32, line []byte) {
	if to, ok := topology.ParseRedirect(line); ok {
		o.redirect(r, gi, to, line)
		return
	}
	g := &o.groups[gi]
	switch judge(line) {
	case degrade:
		o.c.counts.tryAgains.Add(1)
		o.c.moving.remember(g.slot)
		if g.size() > 1 {
			o.singly(gi)
		} else {
			o.wait(gi, r.node.addr, resp.NewError(string(line)))
		}
	case later:
		o.wait(gi, r.node.addr, resp.NewError(string(line)))
	case unwell:
		r.unwell = resp.NewError(string(line))
		o.c.tracker.Trigger()
		g.via, g.asking = nil, false
		o.wait(gi, r.node.addr, r.unwell)
	case demoted:
		r.stale = true
		fallthrough
	case elsewhere:
		o.c.tracker.Trigger()
		g.via, g.asking = nil, false
		o.wait(gi, r.node.addr, resp.NewError(string(line)))
	case noScript:
		o.c.counts.noScripts.Add(1)
		r.node.scripted.Store(false)
		if g.scripts++; g.scripts > 2 {
			o.fail(gi, r.node.addr, resp.NewError(string(line)))
			return
		}
		o.open = append(o.open, gi)
	default:
		o.fail(gi, r.node.addr, resp.NewError(string(line)))
	}
}

// redirect follows MOVED and ASK. Both mean that nothing was executed.
func (o *op) redirect(r *run, gi int32, to topology.Redirect, line []byte) {
	g := &o.groups[gi]
	o.hops++
	if g.hops++; int(g.hops) > o.c.cfg.MaxRedirects {
		o.fail(gi, r.node.addr, fmt.Errorf("%w: %d, the last to %q", ErrRedirects, g.hops, line))
		return
	}
	addr, known := to.Addr(o.c.asked(r.conn))
	g.via, g.asking = nil, false
	if to.Ask {
		o.c.counts.asked.Add(1)
		o.c.moving.remember(g.slot)
		if !known {
			o.c.tracker.Trigger()
			o.wait(gi, r.node.addr, resp.NewError(string(line)))
			return
		}
		g.via, g.asking = o.c.nodes.at(addr), true
		o.singly(gi)
		return
	}
	o.c.counts.moved.Add(1)
	switch {
	case !known: // "MOVED 449 ?:27100": the server does not know itself what to call that node
		o.c.tracker.Trigger()
		o.wait(gi, r.node.addr, resp.NewError(string(line)))
	case addr == r.node.addr:
		// The name leads to a node with another role now, or there is a proxy behind it: dial it anew, once.
		r.stale = true
		o.c.tracker.Trigger()
		o.wait(gi, r.node.addr, resp.NewError(string(line)))
	default:
		o.moves = append(o.moves, topology.Move{Slot: to.Slot, Addr: addr})
		if to.Slot != g.slot { // the server hashes keys by another rule: believe it, for this command
			g.via = o.c.nodes.at(addr)
		}
		if g.hops > 2 {
			o.wait(gi, r.node.addr, resp.NewError(string(line)))
		} else {
			o.open = append(o.open, gi)
		}
	}
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

// wait puts a group aside for a while that grows from try to try.
func (o *op) wait(gi int32, addr string, err error) {
	g := &o.groups[gi]
	g.refusal = &refusal{addr, err}
	if int(g.tries) >= o.c.cfg.MaxTries {
		o.fail(gi, addr, err)
		return
	}
	pause := min(firstWait<<g.tries, longWait)
	pause = pause/2 + rand.N(pause)/2
	g.tries++
	wake := time.Now().Add(pause)
	if len(o.waiting) == 0 || wake.Before(o.wake) {
		o.wake = wake
	}
	o.waiting = append(o.waiting, gi)
}

// finally reports whether it is of no use to ask the pool again within this call.
func finally(err error) bool {
	return errors.Is(err, conn.ErrBreakerOpen) || errors.Is(err, conn.ErrAuth) || errors.Is(err, conn.ErrNotRedis)
}
