package resp

import (
	"fmt"
	"math"
)

// The methods of this file find out what comes next. They consume nothing of the next value: each may fail with a
// timeout and be called again.

const crlf = "\r\n"

const maxLengthLine = 20 // bytes: longer than any length, short enough to give up early

// next finishes what a timeout cut short, closes the aggregates that are exhausted, disposes of attributes and pushes,
// and returns the kind of the value the caller gets.
func (r *Reader) next() (Kind, error) {
	if poison {
		r.spoil()
	}
	if r.err != nil {
		return 0, r.err
	}
	for {
		if err := r.settle(); err != nil {
			return 0, err
		}
		for r.left == 0 {
			r.pop()
		}
		k, err := r.head()
		if err != nil {
			return 0, err
		}
		if !k.aside() {
			return k, nil
		}
		if err := r.aside(k); err != nil {
			return 0, err
		}
	}
}

// head returns the kind of the next value once it is certain: of a null and of an end of stream the whole is buffered.
func (r *Reader) head() (Kind, error) {
	if err := r.need(1); err != nil {
		return 0, err
	}
	k := Kind(r.buf[r.rp])
	if k != kindEnd {
		r.begun = false
	}
	if r.left < 0 && r.elems >= r.limits.Elements && k != kindEnd {
		return 0, r.protocol(fmt.Sprintf("streamed aggregate exceeds the limit of %d elements", r.limits.Elements))
	}
	switch k {
	case KindBulk, KindArray:
		if err := r.need(2); err != nil {
			return 0, err
		}
		if r.buf[r.rp+1] == '-' {
			return KindNull, r.literal("-1")
		}
	case KindNull:
		return KindNull, r.literal("")
	case kindEnd:
		return kindEnd, r.checkEnd()
	case KindPush:
		if len(r.stack) > 0 {
			return 0, r.protocol("push inside a reply")
		}
	case KindSimple, KindError, KindInt, KindBool, KindDouble, KindBigNumber, KindBlobError, KindVerbatim,
		KindMap, KindSet, KindAttribute:
	default:
		return 0, r.protocol(fmt.Sprintf("unknown type byte %q", byte(k)))
	}
	return k, nil
}

// literal checks that the rest of the line is want.
func (r *Reader) literal(want string) error {
	text, _, err := r.line(1, maxLengthLine)
	if err != nil {
		return err
	}
	if string(text) != want {
		return r.protocol(fmt.Sprintf("malformed %s", Kind(r.buf[r.rp])))
	}
	return nil
}

// line returns the text between the first at bytes of the next value and the first CR LF behind them, and the size of
// it all in bytes. A text longer than limit is a protocol error.
func (r *Reader) line(at, limit int) (text []byte, size int, err error) {
	for i := at; ; {
		b := r.buf[r.rp:]
		for ; i+1 < len(b); i++ {
			if b[i] == '\r' && b[i+1] == '\n' {
				return b[at:i:i], i + len(crlf), nil
			}
			if i-at == limit {
				return nil, 0, r.protocol(fmt.Sprintf("line longer than %d bytes", limit))
			}
		}
		if err := r.need(i + len(crlf)); err != nil {
			return nil, 0, err
		}
	}
}

// length returns the length or count in the line behind the first at bytes of the next value, and the size of it all.
func (r *Reader) length(at int) (n, size int, err error) {
	text, size, err := r.line(at, maxLengthLine)
	if err != nil {
		return 0, 0, err
	}
	n, ok := parseLength(text)
	if !ok {
		return 0, 0, r.protocol(fmt.Sprintf("malformed length %q", text))
	}
	return n, size, nil
}

// parseLength parses a canonical decimal of at most 31 bits, or "?" as Streamed.
func parseLength(text []byte) (n int, ok bool) {
	if len(text) == 1 && text[0] == '?' {
		return Streamed, true
	}
	if len(text) == 0 || len(text) > 10 || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	var v int64
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return int(v), v <= math.MaxInt32
}
