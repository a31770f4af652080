package batch

import (
	"errors"
	"fmt"
	"time"

	"github.com/slotcast/slotcast/resp"
)

// receive reads the replies of a run's groups in the order they were sent, for a slice of time at most, and gives the
// connection back after the last. It sends the next piece of a large batch as the window lets it out, and leaves the
// replies to that for the next turn: the other nodes are to be kept at work too.
func (o *op) receive(r *run) {
	slice := readSlice
	if r.partly {
		slice = partlySlice
	}
	r.conn.SetDeadline(o.until(slice))
	for end := r.unsent; r.first != end; {
		if err := o.receiveGroup(r, r.first); err != nil {
			if !isTimeout(err) {
				o.lost(r, err)
			}
			return
		}
		o.pop(r)
		if r.unsent != none && r.flight <= o.refill(r) {
			if o.send(r); r.conn == nil {
				return
			}
		}
	}
	if r.first == none {
		o.release(r, r.unwell)
	}
}

// refill is how many bytes may be in flight when the next piece is sent. Over TLS it is sent when nothing is: a peer that
// reads no more until its replies are read would block a write, and there a write cannot be left for later.
func (o *op) refill(r *run) int {
	if r.conn.TLS() {
		return 0
	}
	return o.c.cfg.Window / 4 * 3
}

// receiveGroup reads the replies to one group: that of its preface, then its own. It returns nil when the group has been
// answered whole, in which case whatever of it is still open has been put elsewhere. A timeout may be followed by
// another call, which goes on where this one stopped; after any other error the connection is of no use.
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
	var refused *resp.Error
	if err != nil && !errors.As(err, &refused) {
		return shapeError(err)
	}
	if !r.heard {
		o.hear(r)
	}
	if refused != nil && g.preface == asking {
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

// answer returns the kind of the reply to a command, and reads it if it is an error.
func (o *op) answer(r *run, gi int32) (kind resp.Kind, refused bool, err error) {
	in := r.conn.Reader()
	if kind, err = in.Kind(); err != nil {
		return kind, false, err
	}
	if !r.heard {
		o.hear(r)
	}
	if kind != resp.KindError && kind != resp.KindBlobError {
		return kind, false, nil
	}
	line, err := in.ErrorText()
	if err != nil {
		return kind, false, err
	}
	o.refuse(r, gi, line)
	return kind, true, nil
}

// element deals with an element of an array that is not a value. It returns nil if the stream is in step and the rest of
// the array can be read.
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
