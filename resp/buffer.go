package resp

import (
	"errors"
	"io"
)

const (
	bufferSize    = 64 << 10 // bytes: one read brings the whole answer of a common batch
	maxEmptyReads = 100      // reads of (0, nil) in a row before io.ErrNoProgress, as in bufio
)

var errBadRead = errors.New("resp: source returned an impossible count from Read")

// poison makes every view unreadable at the next call, so that a test sees a view that was kept. Set by tests only.
var poison bool

// need waits until at least n bytes of the next value are at r.buf[r.rp:]. The caller has checked n against a limit.
func (r *Reader) need(n int) error {
	for len(r.buf)-r.rp < n {
		if err := r.fill(); err != nil {
			return err
		}
	}
	return nil
}

// fill makes room and reads once, however often that takes to bring a byte.
func (r *Reader) fill() error {
	if r.late != nil {
		return r.ioError(r.late)
	}
	r.makeRoom()
	for range maxEmptyReads {
		free := r.buf[len(r.buf):cap(r.buf)]
		n, err := r.src.Read(free)
		if n < 0 || n > len(free) {
			return r.fail(errBadRead)
		}
		r.buf = r.buf[:len(r.buf)+n]
		switch {
		case n > 0 && err != nil && !isTimeout(err):
			r.late = err // what came with it is read first
			return nil
		case n > 0:
			return nil
		case err != nil:
			return r.ioError(err)
		}
	}
	return r.fail(io.ErrNoProgress)
}

// makeRoom moves what is unread, a part of one value, to the front of the buffer, and doubles a buffer that is full of
// it. The size follows the bytes that have come, never a length that was announced.
func (r *Reader) makeRoom() {
	unread := r.buf[r.rp:]
	switch {
	case r.buf == nil:
		r.buf = make([]byte, 0, bufferSize)
	case len(unread) == cap(r.buf):
		r.buf = append(make([]byte, 0, 2*cap(r.buf)), unread...)
	case r.rp > 0:
		r.buf = r.buf[:copy(r.buf, unread)]
	}
	r.base += int64(r.rp)
	r.rp, r.spoilt = 0, 0
}

// Buffered returns the number of bytes that have been read from the source and not yet consumed.
func (r *Reader) Buffered() int { return len(r.buf) - r.rp }

// Offset returns the position in the stream, in bytes, of what the next call reads.
func (r *Reader) Offset() int64 { return r.base + int64(r.rp) }

// Trim drops a read buffer of more than size bytes that holds nothing unread. The next read allocates one of 64 KiB.
func (r *Reader) Trim(size int) {
	if cap(r.buf) > size && r.Buffered() == 0 {
		r.base += int64(r.rp)
		r.buf, r.rp, r.spoilt = nil, 0, 0
	}
}

// ioError sorts an error of the source: a timeout passes, all else stays. An end of the stream is io.EOF only where no
// reply has begun.
func (r *Reader) ioError(err error) error {
	if isTimeout(err) {
		return err
	}
	if err == io.EOF && !r.betweenReplies() {
		err = io.ErrUnexpectedEOF
	}
	return r.fail(err)
}

// fail makes err the answer of every later call.
func (r *Reader) fail(err error) error {
	r.err = err
	r.left = 0 // keeps Bulk off its short path
	return err
}

// protocol fails with a ProtocolError about the next value.
func (r *Reader) protocol(msg string) error {
	return r.fail(&ProtocolError{Offset: r.Offset(), Msg: msg})
}

// spoil overwrites what has been consumed since it was last called, which is where the last view lies.
func (r *Reader) spoil() {
	for i := r.spoilt; i < r.rp; i++ {
		r.buf[i] = 0xDD
	}
	r.spoilt = r.rp
}

// betweenReplies reports whether the stream may end here.
func (r *Reader) betweenReplies() bool {
	return len(r.stack) == 0 && r.Buffered() == 0 && r.pending == nothing && !r.begun
}
