package batch

import (
	"fmt"

	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/topology"
)

// A refusal is the last answer that made a group wait.
type refusal struct {
	addr string
	err  error
}

// joined adds why the waiting ended.
func (f *refusal) joined(end error) error { return fmt.Errorf("%w, after: %w", end, f.err) }

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
	case stranger:
		r.stale = true
		fallthrough
	default:
		o.fail(gi, r.node.addr, resp.NewError(string(line)))
	}
}

// redirect follows MOVED and ASK. Both mean that nothing was executed.
func (o *op) redirect(r *run, gi int32, to topology.Redirect, line []byte) {
	g := &o.groups[gi]
	if int(g.hops) >= o.c.cfg.MaxRedirects {
		o.fail(gi, r.node.addr, fmt.Errorf("%w: %d, and then %q", ErrRedirects, g.hops, line))
		return
	}
	o.hops++
	g.hops++
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
		if g.redialled {
			o.fail(gi, r.node.addr, fmt.Errorf("%w: the node sends to itself: %q", ErrRedirects, line))
			return
		}
		g.redialled = true
		o.wait(gi, r.node.addr, resp.NewError(string(line)))
	default:
		o.moves = append(o.moves, topology.Move{Slot: to.Slot, Addr: addr})
		if to.Slot != g.slot { // the server hashes keys by another rule: believe it, for this command
			g.via = o.c.nodes.at(addr)
		}
		if g.hops > 2 { // nodes that disagree need time to agree
			o.wait(gi, r.node.addr, resp.NewError(string(line)))
		} else {
			o.open = append(o.open, gi)
		}
	}
}
