package batch

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
	r.conn.SetDeadline(o.until(writeSlice)) // after encoding, which takes its time
	done, err := r.conn.Flush()
	if err != nil && (!isTimeout(err) || r.conn.Broken() != nil) { // over TLS a write that timed out cannot go on
		o.lost(r, err)
		return
	}
	o.setPartly(r, !done)
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
		g.bytes = int32(len(out) - start)
		r.flight += int(g.bytes)
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
