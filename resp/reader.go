package resp

import (
	"io"
	"math"
)

// Streamed is the count of an aggregate whose end is marked, not announced. [Reader.More] tells when it is reached.
const Streamed = -2

// Reader is a cursor over the replies of a server. It is not safe for concurrent use.
//
// Each call reads the next value, or opens the next aggregate, whose elements the calls after it read. A slice that a
// call returns is a view of the read buffer: "valid until the next call on r".
//
// Errors are of four sorts:
//
//   - An [*Error] is the server's answer in place of the value, and a [*MismatchError] says that the value is of
//     another kind than asked for. The stream is in step.
//   - A timeout of the source has consumed nothing: once the deadline has been moved, the same call goes on where it
//     was, also in the middle of a reply. [Reader.Skip] and [Reader.Value] remember how far they came; another call in
//     their place first skips the rest of that value.
//   - A [*ProtocolError] or another error of the source stays: each later call returns it again.
//   - io.EOF is the end of the stream between replies. Inside one it is io.ErrUnexpectedEOF.
type Reader struct {
	// OnPush is called with each push, inside the call that came upon it, and must not use the reader. When nil,
	// pushes are dropped without being built. An error inside a push is an element like any other.
	OnPush func(push Value)

	src    io.Reader
	late   error // came with the last bytes of src, to be reported after them
	err    error // sticky
	limits Limits

	// buf[:rp] is consumed, buf[rp:] is not: 0 ≤ spoilt ≤ rp ≤ len(buf).
	buf    []byte
	rp     int
	base   int64 // position in the stream of buf[0]
	spoilt int   // for tests, see poison

	frame         // the innermost open aggregate
	stack []frame // those around it, the outermost being the stream of replies itself
	elems int     // elements announced, or for streamed aggregates read, in the current reply

	traversal // a value that is being passed over or built
}

// frame is an open aggregate. One that is exhausted stays open until More reports so or the next value is read.
type frame struct {
	left int // elements to come; below zero for a streamed one: -1 less those read
	kind Kind
}

// stream is the outermost frame: replies without end.
var stream = frame{left: math.MaxInt}

// NewReader returns a reader of the replies that come from src. It reads as much at once as its buffer holds, 64 KiB
// unless a larger value has grown it.
func NewReader(src io.Reader, limits Limits) *Reader {
	return &Reader{src: src, limits: limits.withDefaults(), frame: stream}
}

// Reset makes r as new, reading from src. It keeps OnPush, the limits, and a buffer that has not grown.
func (r *Reader) Reset(src io.Reader) {
	buf := r.buf[:0]
	if cap(buf) > bufferSize {
		buf = nil
	}
	*r = Reader{OnPush: r.OnPush, src: src, limits: r.limits, buf: buf, frame: stream, stack: r.stack[:0]}
}

// Kind returns the kind of the next value without consuming it. Like every call that reads, it drops attributes, and
// handles pushes that stand between replies.
func (r *Reader) Kind() (Kind, error) {
	k, err := r.next()
	if err == nil && k == kindEnd {
		return 0, ErrEnd
	}
	return k, err
}

// More reports whether the innermost open aggregate has a further element, and closes it when it has none. Between
// replies it reports false.
//
// The elements of an aggregate can be counted or asked for with More. Where More is asked about an outer aggregate, it
// must have been asked about those inside it too, until it reported false.
//
// For a streamed aggregate More may have to read. When that fails it reports true, and the next call returns the error.
func (r *Reader) More() bool {
	switch {
	case r.pending.within():
		return true
	case len(r.stack) == 0, r.pending != nothing && r.floor == 0:
		return false
	case r.left > 0:
		return true
	case r.left == 0 && r.err == nil:
		r.pop()
		return false
	}
	k, err := r.next()
	if err == nil && k == kindEnd {
		r.closeStreamed()
		return false
	}
	return true
}

// Depth returns the number of aggregates that are open and have elements to come. It is 0 between replies, and at least
// 1 after Skip or Value was cut short by a timeout.
func (r *Reader) Depth() int {
	depth := len(r.stack)
	if r.pending != nothing {
		depth = r.floor
	}
	for depth > 0 && r.frameAt(depth).left == 0 {
		depth--
	}
	if r.pending.within() {
		depth++
	}
	return depth
}

// frameAt returns the frame with depth aggregates around it, itself included.
func (r *Reader) frameAt(depth int) frame {
	if depth == len(r.stack) {
		return r.frame
	}
	return r.stack[depth]
}

// took consumes the next size bytes, which are an element of the innermost aggregate or the header of one.
func (r *Reader) took(size int) {
	r.rp += size
	r.left--
	if r.left < 0 {
		r.elems++
	}
}

// takeNull consumes a null.
func (r *Reader) takeNull() {
	if r.buf[r.rp] == byte(KindNull) {
		r.took(len("_\r\n"))
	} else {
		r.took(len("$-1\r\n"))
	}
}
