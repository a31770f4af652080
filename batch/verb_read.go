package batch

import (
	"fmt"

	"github.com/slotcast/slotcast/resp"
)

// reads is the verb of Get: MGET for several keys of a slot, GET for one.
type reads struct {
	items  ManyReads
	each   eachRead
	values [64][]byte // that are read at once
}

func (v *reads) begin(items Reads) {
	many, ok := items.(ManyReads)
	if !ok {
		v.each.Reads = items
		many = &v.each
	}
	v.items = many
}

// end lets go of the caller's items and of the read buffers.
func (v *reads) end() {
	v.items, v.each.Reads = nil, nil
	clear(v.values[:])
}

func (v *reads) appendCommand(dst []byte, o *op, _ *run, g *group) []byte {
	if !g.many {
		dst = append(dst, "*2\r\n$3\r\nGET\r\n"...)
		return v.items.AppendKey(dst, int(o.order[g.from]))
	}
	dst = resp.AppendArray(dst, 1+g.size())
	dst = append(dst, "$4\r\nMGET\r\n"...)
	return v.items.AppendKeys(dst, o.order[g.from:g.to])
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
	for g.from < g.to {
		items := o.order[g.from:g.to]
		n, err := in.Bulks(v.values[:min(len(items), len(v.values))])
		v.items.Replies(items[:n], v.values[:n])
		g.from += int32(n)
		if err != nil {
			if err = o.element(r, gi, err); err != nil {
				return err
			}
			g = &o.groups[gi]
		}
	}
	return nil
}
