package resp

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// ErrEnd is returned, not wrapped, by a call that asks for a value at the end of a streamed aggregate. Nothing has been
// consumed: [Reader.More] will report false and close the aggregate.
var ErrEnd = errors.New("resp: end of the streamed aggregate")

// Error is an error reply: the server has answered, and the stream is in step.
type Error struct {
	Line string // the server's words, such as "WRONGTYPE Operation against a key holding the wrong kind of value"
}

// NewError returns the error reply with the given line, which has no type byte and no CR LF.
func NewError(line string) *Error { return &Error{Line: line} }

// Error returns the server's words.
func (e *Error) Error() string { return e.Line }

// Code returns the first word of the line, such as "MOVED" or "ERR".
func (e *Error) Code() string {
	code, _, _ := strings.Cut(e.Line, " ")
	return code
}

// ProtocolError reports bytes that are not RESP or exceed the reader's [Limits]. The stream is out of step: the
// connection must be dropped.
type ProtocolError struct {
	Offset int64 // position in the stream, in bytes, of the value that is wrong
	Msg    string
}

func (e *ProtocolError) Error() string {
	return fmt.Sprintf("resp: protocol error at byte %d: %s", e.Offset, e.Msg)
}

// MismatchError reports a value of another kind than the call asked for. Nothing has been consumed: the stream is in
// step, and the value can be read by another call or skipped.
type MismatchError struct {
	Want   string // what the call reads, such as "array"
	Got    Kind
	Offset int64 // position in the stream, in bytes, of the value
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("resp: %s where %s was expected, at byte %d", e.Got, e.Want, e.Offset)
}

// isTimeout reports whether a read that failed with err can be made again once the deadline has been moved: whether err
// is like os.ErrDeadlineExceeded. ETIMEDOUT calls itself a timeout too, but is the end of a connection whose peer no
// longer acknowledges.
func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout() && !errors.Is(err, syscall.ETIMEDOUT)
}
