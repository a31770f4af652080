package resp

// traversal is how far a call has come that reads a value of any size and shape. A timeout leaves it for the next call.
type traversal struct {
	pending pending
	floor   int     // the depth the value is at; it ends when the reader is back there
	discard int     // bytes to drop of a string and its CR LF
	chunked int     // bytes taken by the chunks of a streamed string, 0 outside one
	tree    []Value // the aggregates that are open and being built
	begun   bool    // an attribute has been dropped, so its value must follow
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

// Skip reads the next value, however deep, and drops it. Strings are not buffered. An error reply is a value like any
// other.
func (r *Reader) Skip() error {
	if r.err != nil {
		return r.err
	}
	if !r.pending.within() {
		k, err := r.next()
		if err != nil {
			return err
		}
		if k == kindEnd {
			return ErrEnd
		}
		if err := r.begin(skipValue, k); err != nil {
			return err
		}
	}
	return r.pass()
}

// SkipRest drops what is left of the reply being read: everything up to the end of the outermost open aggregate.
// Between replies it does nothing.
func (r *Reader) SkipRest() error {
	if r.err != nil {
		return r.err
	}
	if r.Depth() == 0 {
		return nil
	}
	r.pending, r.floor = skipValue, 0
	return r.pass()
}

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
		if err == nil {
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
			r.begun = r.pending == dropAttribute
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

// step consumes the next value if it is a scalar, or the header of an aggregate. Of a string it leaves the bytes to
// drop.
func (r *Reader) step(k Kind) error {
	switch k {
	case KindNull:
		r.takeNull()
	case kindEnd:
		r.closeStreamed()
	case KindArray, KindSet, KindMap, KindAttribute, KindPush:
		_, err := r.open(k, k)
		return err
	case KindBulk, KindVerbatim, KindBlobError:
		return r.stepBlob(k)
	default:
		text, size, err := r.line(1, r.limits.Line)
		if err != nil {
			return err
		}
		if !isScalar(k, text) {
			return r.malformed(k)
		}
		r.took(size)
	}
	return nil
}

func (r *Reader) stepBlob(k Kind) error {
	n, size, err := r.blobLength(k)
	if err != nil {
		return err
	}
	if n == Streamed {
		r.took(size)
		r.chunked = 1
		return nil
	}
	r.took(size)
	r.discard = n + len(crlf)
	return nil
}

// drop drops what is left of a string, as it arrives.
func (r *Reader) drop() error {
	for r.discard > 0 || r.chunked > 0 {
		if r.discard == 0 {
			n, size, err := r.chunkLength(0, r.chunked-1)
			if err != nil {
				return err
			}
			r.rp += size
			if n == 0 {
				r.chunked = 0
				return nil
			}
			r.discard = n + len(crlf)
			r.chunked += size + r.discard
		}
		for r.discard > len(crlf) {
			if err := r.need(1); err != nil {
				return err
			}
			n := min(r.discard-len(crlf), r.Buffered())
			r.rp += n
			r.discard -= n
		}
		if err := r.need(len(crlf)); err != nil {
			return err
		}
		if err := r.checkCRLF(0); err != nil {
			return err
		}
		r.rp += len(crlf)
		r.discard = 0
	}
	return nil
}

// isScalar reports whether text is a well-formed line of kind k.
func isScalar(k Kind, text []byte) (ok bool) {
	switch k {
	case KindInt:
		_, ok = parseInt(text)
	case KindDouble:
		_, ok = parseDouble(text)
	case KindBool:
		_, ok = parseBool(text)
	case KindBigNumber:
		ok = isInteger(text)
	case KindSimple, KindError:
		ok = true
	}
	return ok
}
