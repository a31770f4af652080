package batch

import (
	"bytes"
	"fmt"

	"github.com/slotcast/slotcast/resp"
)

// writes is the verb of Set: EVALSHA (or EVAL) of storeScript for several keys of a slot, SET for one.
type writes struct {
	items ManyWrites
	each  eachWrite
	ttl   int64  // milliseconds
	px    []byte // how a SET ends: PX and the time to live; the same for all, so formatted once
}

func (v *writes) begin(items Writes, ttl int64) {
	many, ok := items.(ManyWrites)
	if !ok {
		v.each.Writes = items
		many = &v.each
	}
	v.items, v.ttl = many, ttl
	v.px = resp.AppendBulkInt(append(v.px[:0], "$2\r\nPX\r\n"...), ttl)
}

// end lets go of the caller's items.
func (v *writes) end() { v.items, v.each.Writes = nil, nil }

func (v *writes) appendCommand(dst []byte, o *op, r *run, g *group) []byte {
	if !g.many {
		i := int(o.order[g.from])
		dst = append(dst, "*5\r\n$3\r\nSET\r\n"...)
		dst = v.items.AppendKey(dst, i)
		dst = v.items.AppendValue(dst, i)
		return append(dst, v.px...)
	}
	n := g.size()
	if !r.loaded && g.scripts == 0 && !r.node.scripted.Load() {
		dst = resp.AppendCommand(dst, "SCRIPT", "LOAD", storeScript)
		g.preface, r.loaded = loading, true
	}
	dst = resp.AppendArray(dst, 3+n+1+n) // EVALSHA sha n keys… ttl values…
	// The first of several groups that lacked the script brings its text; those behind it find it loaded.
	if g.scripts > 1 || g.scripts == 1 && !r.loaded {
		r.loaded = true
		dst = append(dst, "$4\r\nEVAL\r\n"...)
		dst = resp.AppendBulkString(dst, storeScript)
	} else {
		dst = append(dst, "$7\r\nEVALSHA\r\n"...)
		dst = resp.AppendBulkString(dst, storeScriptSHA)
	}
	dst = resp.AppendBulkInt(dst, int64(n))
	items := o.order[g.from:g.to]
	dst = v.items.AppendKeys(dst, items)
	dst = resp.AppendBulkInt(dst, v.ttl)
	return v.items.AppendValues(dst, items)
}

func (v *writes) receive(o *op, r *run, gi int32) error {
	g, in := &o.groups[gi], r.conn.Reader()
	if r.stage == atReply {
		kind, refused, err := o.answer(r, gi)
		if refused || err != nil {
			return err
		}
		if !g.many || kind == resp.KindInt {
			if err := v.allStored(r, g); err != nil {
				return err
			}
			v.stored(o, g)
			return nil
		}
		if err := arrayOf(in, g.size()); err != nil {
			return err
		}
		r.node.scripted.Store(true)
		r.stage = atElements
	}
	for _, i := range o.order[g.from:g.to] {
		kind, err := in.Kind()
		if err != nil {
			return err
		}
		if kind == resp.KindInt {
			if _, err := in.Int(); err != nil {
				return err
			}
			v.items.Stored(int(i))
			o.groups[gi].from++
			continue
		}
		text, err := in.Bulk()
		if err != nil {
			if err = o.element(r, gi, err); err != nil {
				return err
			}
			continue
		}
		// Before Redis 7.0 what redis.pcall tells of an error may begin as on the wire.
		o.refuseItem(r, gi, bytes.TrimPrefix(text, []byte("-")))
	}
	return nil
}

// allStored reads the reply that says of every item of a group that it was stored: the number of keys from the script,
// OK from SET.
func (v *writes) allStored(r *run, g *group) error {
	in := r.conn.Reader()
	if !g.many {
		text, err := in.Bulk()
		if err != nil {
			return shapeError(err)
		}
		if string(text) != "OK" {
			return fmt.Errorf("%w: %.40q to SET", ErrShape, text)
		}
	} else {
		n, err := in.Int()
		if err != nil {
			return err
		}
		if n != int64(g.size()) {
			return fmt.Errorf("%w: %d keys stored of %d", ErrShape, n, g.size())
		}
		r.node.scripted.Store(true)
	}
	return nil
}

// stored tells the items of the group.
func (v *writes) stored(o *op, g *group) {
	v.items.AllStored(o.order[g.from:g.to])
	g.from = g.to
}
