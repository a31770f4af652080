package resp

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
	r.took(size)
	if n == Streamed {
		r.chunked = 1
	} else {
		r.discard = n + len(crlf)
	}
	return nil
}

// drop drops what is left of a string, as it arrives.
func (r *Reader) drop() error {
	for {
		if err := r.dropBytes(); err != nil {
			return err
		}
		if r.chunked == 0 {
			return nil
		}
		if err := r.nextChunk(); err != nil {
			return err
		}
	}
}

// dropBytes drops what is left of a string or chunk. Its CR LF, which must be looked at, goes last.
func (r *Reader) dropBytes() error {
	if r.discard == 0 {
		return nil
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
	return nil
}

// nextChunk consumes the header of a chunk, or the last chunk.
func (r *Reader) nextChunk() error {
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
