package batch

import (
	"fmt"

	"github.com/slotcast/slotcast/resp"
)

// reads is the verb of Get: MGET for several keys of a slot, GET for one.
type reads struct{ items Reads }

func (v *reads) appendCommand(dst []byte, o *op, _ *run, g *group) []byte {
	if !g.many {
		dst = append(dst, "*2\r\n$3\r\nGET\r\n"...)
		return v.items.AppendKey(dst, int(o.order[g.from]))
	}
	dst = resp.AppendArray(dst, 1+g.size())
	dst = append(dst, "$4\r\nMGET\r\n"...)
	for _, i := range o.order[g.from:g.to] {
		dst = v.items.AppendKey(dst, int(i))
	}
	return dst
}

func (v *reads) receive(o *op, r *run, gi int32) error {
	g, in := &o.groups[gi], r.conn.Reader()
	if r.stage == atReply {
		kind, refused, err := o.answer(r, gi)
		if refused || err != nil {
			return err
		}
		if g.many {
			err = arrayOf(in, g.size())
		} else if kind == resp.KindSimple { // "+OK" is the reply to something else: the stream is out of step
			err = fmt.Errorf("%w: a simple string to GET", ErrShape)
		}
		if err != nil {
			return err
		}
		r.stage = atElements
	}
	for _, i := range o.order[g.from:g.to] {
		value, err := in.Bulk()
		if err != nil {
			if err = o.element(r, gi, err); err != nil {
				return err
			}
			g = &o.groups[gi]
			continue
		}
		v.items.Reply(int(i), value)
		g.from++
	}
	return nil
}
