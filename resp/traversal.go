package resp

// traversal is how far a call has come that reads a value of any size and shape. A timeout leaves it for the next call.
type traversal struct {
	pending pending
	floor   int     // the depth the value is at; it ends when the reader is back there
	discard int     // bytes to drop of a string and its CR LF
	chunked int     // in a streamed string, 1 and the bytes its chunks have taken; 0 outside one
	tree    []Value // the aggregates that are open and being built
	begun   bool    // an attribute has just ended, so its value must follow
}

type pending byte

const (
	nothing       pending = iota
	dropAttribute         // the caller's value is still to come
	dropPush              // the same
	buildPush             // the same
	skipValue             // for Skip and SkipRest
	buildValue            // for Value
)

// within reports whether the caller's value has begun.
func (p pending) within() bool { return p == skipValue || p == buildValue }

// begin starts to pass over the next value, which is of kind k.
func (r *Reader) begin(p pending, k Kind) error {
	floor := len(r.stack)
	if err := r.step(k); err != nil {
		return err
	}
	r.pending, r.floor = p, floor
	return nil
}

// aside begins to dispose of an attribute or push, which is of kind k.
func (r *Reader) aside(k Kind) error {
	switch {
	case k == KindAttribute:
		return r.begin(dropAttribute, k)
	case r.OnPush == nil:
		return r.begin(dropPush, k)
	}
	return r.beginTree(buildPush, k)
}

// settle finishes what an earlier call left pending, or aside began.
func (r *Reader) settle() error {
	switch r.pending {
	case nothing:
		return nil
	case buildPush:
		push, err := r.grow()
		if err == nil && r.OnPush != nil {
			r.OnPush(push)
		}
		return err
	}
	return r.pass()
}

// pass drops everything up to the end of the pending value.
func (r *Reader) pass() error {
	r.tree = nil
	for {
		if err := r.drop(); err != nil {
			return err
		}
		for len(r.stack) > r.floor && r.left == 0 {
			r.pop()
		}
		if len(r.stack) == r.floor {
			r.pending = nothing
			return nil
		}
		k, err := r.head()
		if err != nil {
			return err
		}
		if err := r.step(k); err != nil {
			return err
		}
	}
}
