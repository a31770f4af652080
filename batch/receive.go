package batch

import (
	"errors"
	"fmt"
	"time"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/resp"
)

// errStale is why a connection is dropped that leads to a node which does not have the role the map gives it.
var errStale = errors.New("node has changed its role or address")

// receive reads the replies of a run's groups in the order they were sent, for a slice of time at most, and gives the
// connection back after the last.
func (o *op) receive(r *run, slice time.Duration) {
	r.conn.SetDeadline(o.until(slice))
	for r.first != r.unsent {
		if err := o.receiveGroup(r, r.first); err != nil {
			if !isTimeout(err) {
				o.lost(r, err)
			}
			return
		}
		o.pop(r)
		if r.unsent != none && r.flight < o.c.cfg.Window/2 {
			if o.send(r); r.conn == nil {
				return
			}
		}
	}
	if r.first == none {
		o.release(r, r.unwell)
	}
}

// receiveGroup reads the replies to one group: that of its preface, then its own. It returns nil when the group has been
// answered whole, in which case whatever of it is still open has been put elsewhere. A timeout may be followed by another call, which
// goes on where this one stopped; after any other error the connection is of no use.
func (o *op) receiveGroup(r *run, gi int32) error {
	if r.stage == atPreface {
		if err := o.receivePreface(r, &o.groups[gi]); err != nil {
			return err
		}
		r.stage = atReply
	}
	if r.denied != nil {
		return o.receiveDenied(r, gi)
	}
	if err := o.verb.receive(o, r, gi); err != nil {
		return err
	}
	r.conn.Received()
	return nil
}

func (o *op) receivePreface(r *run, g *group) error {
	if g.preface == noPreface {
		return nil
	}
	_, err := r.conn.Reader().Bulk()
	if !r.heard {
		o.hear(r)
	}
	var refused *resp.Error
	switch {
	case err == nil:
	case !errors.As(err, &refused):
		return shapeError(err)
	case g.preface == asking:
		// Without ASKING the command is answered MOVED, back to where it came from: say what is wrong instead.
		r.denied = fmt.Errorf("ASKING refused: %w", refused)
	}
	// A node that refuses SCRIPT LOAD may still know the script, and answers NOSCRIPT if not.
	r.conn.Received()
	return nil
}

// receiveDenied drops the reply to a command whose ASKING was refused.
func (o *op) receiveDenied(r *run, gi int32) error {
	if err := r.conn.Reader().Skip(); err != nil {
		return err
	}
	r.conn.Received()
	o.fail(gi, r.node.addr, r.denied)
	r.denied = nil
	return nil
}

// hear notes that the node has answered.
func (o *op) hear(r *run) {
	r.heard = true
	if t := o.c.cfg.Trace; t != nil && t.NodeDone != nil {
		r.firstByte = time.Now()
	}
}

// refused reads the reply to a command if it is an error.
func (o *op) refused(r *run, gi int32) (bool, error) {
	in := r.conn.Reader()
	kind, err := in.Kind()
	if err != nil {
		return false, err
	}
	if !r.heard {
		o.hear(r)
	}
	if kind != resp.KindError && kind != resp.KindBlobError {
		return false, nil
	}
	line, err := in.ErrorText()
	if err != nil {
		return false, err
	}
	o.refuse(r, gi, line)
	return true, nil
}

// element deals with an element of an array that is not a value. It returns nil if the stream is in step and the rest of the
// array can be read.
func (o *op) element(r *run, gi int32, err error) error {
	var refused *resp.Error
	if !errors.As(err, &refused) {
		return shapeError(err)
	}
	o.refuseItem(r, gi, []byte(refused.Error()))
	return nil
}

// refuseItem refuses the first open item of a group.
func (o *op) refuseItem(r *run, gi int32, line []byte) {
	item := o.groups[gi]
	item.to, item.next = item.from+1, none
	o.groups[gi].from++
	o.groups = append(o.groups, item)
	o.refuse(r, int32(len(o.groups)-1), line)
}

// arrayOf reads the header of an array that must have n elements.
func arrayOf(in *resp.Reader, n int) error {
	got, err := in.Array()
	if err != nil {
		return shapeError(err)
	}
	if got != n {
		return fmt.Errorf("%w: %d elements where %d were asked for", ErrShape, got, n)
	}
	return nil
}

// shapeError makes a reply of another kind than the command calls for an ErrShape; other errors stay what they are.
func shapeError(err error) error {
	var kind *resp.MismatchError
	if errors.As(err, &kind) {
		return fmt.Errorf("%w: %w", ErrShape, err)
	}
	return err
}

// lost drops a connection that broke, or whose stream cannot be trusted. Of the groups it owed, those of a broken
// connection are sent again (a read changes nothing, and a write may be repeated), those of a bad stream fail: the same
// question might well get the same answer.
func (o *op) lost(r *run, err error) {
	o.c.counts.lost.Add(1)
	r.conn.Fail(err)
	r.stage = atPreface
	bad := distrusted(err)
	if !bad {
		o.c.tracker.Suspect(r.node.addr)
	}
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

// unavailable deals with a node that no connection can be had to. A node that the breaker answers for fails at once; others are
// tried again.
func (o *op) unavailable(r *run, err error) {
	o.c.tracker.Suspect(r.node.addr)
	final := finally(err)
	for r.first != none {
		gi := o.pop(r)
		if final {
			o.fail(gi, r.node.addr, err)
			continue
		}
		if errors.Is(err, conn.ErrPoolClosed) { // the node has left the cluster
			o.groups[gi].via, o.groups[gi].asking = nil, false
		}
		o.wait(gi, r.node.addr, err)
	}
}
