package batch

import "time"

// preface is a command that goes out just in front of a group's own.
type preface uint8

const (
	noPreface preface = iota
	asking            // ASKING holds for the next command only, so each command gets its own
	loading           // SCRIPT LOAD, for a node that is not known to have the script
)

// send encodes what the window lets out and writes it with one call of Write.
func (o *op) send(r *run) {
	if r.unsent != none && r.flight < o.c.cfg.Window && !r.partly {
		o.encode(r)
	} else if !r.partly {
		return
	}
	done, err := o.flush(r)
	if err != nil && (!isTimeout(err) || r.conn.Broken() != nil) { // over TLS a write that timed out cannot go on
		o.lost(r, err)
		return
	}
	o.setPartly(r, !done)
}

// flush writes for a slice of time, or over TLS, where a write cannot be resumed, for half of the time that is left: the
// answers of others are there to be read afterwards.
func (o *op) flush(r *run) (done bool, err error) {
	if !r.conn.TLS() {
		r.conn.SetDeadline(o.within(writeSlice)) // after encoding, which takes its time
		return r.conn.Flush()
	}
	if o.rivals() > 1 {
		r.conn.SetLimit(time.Now().Add(time.Until(o.deadline) / 2))
	}
	done, err = r.conn.Flush()
	r.conn.SetLimit(o.deadline)
	return done, err
}

// encode appends the commands of unsent groups to the connection's buffer until the window is full.
func (o *op) encode(r *run) {
	out := r.conn.Out()
	replies := 0
	for r.unsent != none && r.flight < o.c.cfg.Window {
		g := &o.groups[r.unsent]
		start := len(out)
		g.many = g.size() > 1
		g.preface = noPreface
		if g.asking {
			g.preface = asking
			out = append(out, "*1\r\n$6\r\nASKING\r\n"...)
		}
		out = o.verb.appendCommand(out, o, r, g)
		if g.preface != noPreface {
			replies++
			r.commands++
		}
		replies++
		r.commands++
		r.keys += g.size()
		g.bytes = len(out) - start
		r.flight += g.bytes
		r.unsent = g.next
	}
	r.conn.Commit(out, replies)
}

// setPartly notes whether a part of what was encoded is still to be written.
func (o *op) setPartly(r *run, partly bool) {
	if partly != r.partly {
		r.partly = partly
		if partly {
			o.partial++
		} else {
			o.partial--
		}
	}
}
