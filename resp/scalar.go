package resp

import "fmt"

// Bulk reads a string: a bulk, simple, verbatim or streamed one, of a verbatim string without its format. A null of any
// form is nil, an empty string is not. The slice is valid until the next call on r.
func (r *Reader) Bulk() ([]byte, error) {
	if poison {
		r.spoil()
	}
	var one [1][]byte
	if r.buffered(one[:]) > 0 {
		return one[0], nil
	}
	return r.anyBulk()
}

// Bulks reads up to len(dst) strings as Bulk does, and at least one unless that fails. It returns how many it has read,
// which is as many as were buffered if there was one at all. An error is about the one behind them. The slices are valid
// until the next call on r.
func (r *Reader) Bulks(dst [][]byte) (n int, err error) {
	if poison {
		r.spoil()
	}
	if n = r.buffered(dst); n > 0 || len(dst) == 0 {
		return n, nil
	}
	if dst[0], err = r.anyBulk(); err != nil {
		return 0, err
	}
	return 1, nil
}

// buffered is Bulks for short strings and nulls that are buffered whole, as nearly all values of a batch are. Where a timeout
// has left something to finish, or there is an error to return, no whole value is buffered or left is 0.
func (r *Reader) buffered(dst [][]byte) (n int) {
	most := uint(min(99, r.limits.Bulk))
	b, at := r.buf, uint(r.rp)
	for n < len(dst) && n < r.left && at+5 < uint(len(b)) {
		head := b[at : at+6]
		if head[0] == '$' {
			size, from, canonical := uint(head[1]-'0'), at+4, head[1] <= '9'
			if d := uint(head[2] - '0'); d < 10 {
				size, from, canonical = size*10+d, at+5, head[1] > '0'
			}
			end := from + size
			if !canonical || size > most || end+2 > uint(len(b)) ||
				b[from-2] != '\r' || b[from-1] != '\n' || b[end] != '\r' || b[end+1] != '\n' {
				break
			}
			dst[n] = b[from:end:end]
			at = end + 2
		} else if head[0] == '_' && head[1] == '\r' && head[2] == '\n' {
			dst[n] = nil
			at += 3
		} else {
			break
		}
		n++
	}
	r.rp = int(at)
	r.left -= n
	return n
}

// anyBulk is Bulk for whatever comes.
func (r *Reader) anyBulk() ([]byte, error) {
	k, err := r.next()
	if err != nil {
		return nil, err
	}
	var text []byte
	var size int
	switch k {
	case KindBulk, KindVerbatim:
		text, size, err = r.blob(k)
	case KindSimple:
		text, size, err = r.line(1, r.limits.Line)
	case KindNull:
		r.takeNull()
		return nil, nil
	default:
		return nil, r.mismatch("string", k)
	}
	if err != nil {
		return nil, err
	}
	r.took(size)
	return text, nil
}

// BulkString is Bulk with a copy as the result. A null is not ok.
func (r *Reader) BulkString() (s string, ok bool, err error) {
	b, err := r.Bulk()
	return string(b), b != nil, err
}

// Int reads an integer.
func (r *Reader) Int() (int64, error) {
	text, size, err := r.scalar("integer", KindInt)
	if err != nil {
		return 0, err
	}
	v, ok := parseInt(text)
	if !ok {
		return 0, r.malformed(KindInt)
	}
	r.took(size)
	return v, nil
}

// Double reads a double.
func (r *Reader) Double() (float64, error) {
	text, size, err := r.scalar("double", KindDouble)
	if err != nil {
		return 0, err
	}
	v, ok := parseDouble(text)
	if !ok {
		return 0, r.malformed(KindDouble)
	}
	r.took(size)
	return v, nil
}

// BigNumber reads a big number: decimal digits with an optional sign. The slice is valid until the next call on r.
func (r *Reader) BigNumber() ([]byte, error) {
	text, size, err := r.scalar("big number", KindBigNumber)
	if err != nil {
		return nil, err
	}
	if !isInteger(text) {
		return nil, r.malformed(KindBigNumber)
	}
	r.took(size)
	return text, nil
}

// Bool reads a boolean, or what stands for one where the server has not switched to RESP3: the integers 1 and 0, and
// null for false, as Lua scripts return it.
func (r *Reader) Bool() (bool, error) {
	k, err := r.next()
	if err != nil {
		return false, err
	}
	switch k {
	case KindNull:
		r.takeNull()
		return false, nil
	case KindBool, KindInt:
	default:
		return false, r.mismatch("boolean", k)
	}
	text, size, err := r.line(1, r.limits.Line)
	if err != nil {
		return false, err
	}
	v, ok := parseBool(text)
	if k == KindInt {
		var i int64
		if i, ok = parseInt(text); ok && i&^1 != 0 {
			return false, r.mismatch("boolean", k)
		}
		v = i == 1
	}
	if !ok {
		return false, r.malformed(k)
	}
	r.took(size)
	return v, nil
}

// ErrorText reads an error reply and returns its text without allocating, such as "MOVED 3999 127.0.0.1:6381". The
// slice is valid until the next call on r.
func (r *Reader) ErrorText() ([]byte, error) {
	k, err := r.next()
	if err != nil {
		return nil, err
	}
	if k != KindError && k != KindBlobError {
		return nil, r.mismatch("error", k)
	}
	return r.takeError(k)
}

func (r *Reader) takeError(k Kind) (text []byte, err error) {
	var size int
	if k == KindError {
		text, size, err = r.line(1, r.limits.Line)
	} else {
		text, size, err = r.blob(k)
	}
	if err != nil {
		return nil, err
	}
	r.took(size)
	return text, nil
}

// scalar returns the line of the next value if it is of the kind wanted.
func (r *Reader) scalar(want string, kind Kind) (text []byte, size int, err error) {
	k, err := r.next()
	if err != nil {
		return nil, 0, err
	}
	if k != kind {
		return nil, 0, r.mismatch(want, k)
	}
	return r.line(1, r.limits.Line)
}

// mismatch is the error of a call that wanted something else than the next value. An error reply is consumed.
func (r *Reader) mismatch(want string, got Kind) error {
	switch got {
	case KindError, KindBlobError:
		text, err := r.takeError(got)
		if err != nil {
			return err
		}
		return &Error{Line: string(text)}
	case kindEnd:
		return ErrEnd
	}
	return &MismatchError{Want: want, Got: got, Offset: r.Offset()}
}

func (r *Reader) malformed(k Kind) error { return r.protocol(fmt.Sprintf("malformed %s", k)) }
