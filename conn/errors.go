package conn

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

// Sentinels. All arrive wrapped in an error that names the address.
var (
	// ErrAuth says that the server refused the credentials, or asked for some and none were given.
	ErrAuth = errors.New("authentication failed")
	// ErrNotRedis says that the peer does not speak RESP: another service, or TLS on one side only.
	ErrNotRedis = errors.New("the peer does not speak the Redis protocol")
	// ErrBreakerOpen is wrapped by every [UnavailableError].
	ErrBreakerOpen = errors.New("the node failed repeatedly and is not asked for a while")
	// ErrPoolClosed is returned by a pool after Close.
	ErrPoolClosed = errors.New("the pool is closed")
	// ErrOwed is returned by [Conn.Do] on a connection that still owes replies.
	ErrOwed = errors.New("the connection owes replies of an earlier conversation")
)

// DialError says why no connection could be had. No request has reached the server.
type DialError struct {
	Addr string
	Op   string // dial, tls, credentials, hello, auth, ping, or wait (for a pooled connection)
	Err  error
}

// Error never contains a secret.
func (e *DialError) Error() string { return fmt.Sprintf("conn: %s %s: %v", e.Op, e.Addr, e.Err) }

// Unwrap returns the cause.
func (e *DialError) Unwrap() error { return e.Err }

// IOError says how a conversation broke.
type IOError struct {
	Addr string
	Op   string // read or write
	// Unsent says that the transport accepted no byte of the request, so the server cannot have seen it.
	Unsent bool
	Err    error // e.g. io.ErrUnexpectedEOF, os.ErrDeadlineExceeded, *resp.ProtocolError, or what the server said last
}

// Error describes the failure.
func (e *IOError) Error() string { return fmt.Sprintf("conn: %s %s: %v", e.Op, e.Addr, e.Err) }

// Unwrap returns the cause.
func (e *IOError) Unwrap() error { return e.Err }

// UnavailableError is the refusal of an open breaker. It wraps [ErrBreakerOpen] and the last failure.
type UnavailableError struct {
	Addr  string
	Until time.Time // when the node is probed next
	Err   error     // the last failure
}

// Error describes the refusal.
func (e *UnavailableError) Error() string {
	return fmt.Sprintf("conn: %s: %v; last failure: %v", e.Addr, ErrBreakerOpen, e.Err)
}

// Unwrap returns ErrBreakerOpen and the last failure.
func (e *UnavailableError) Unwrap() []error { return []error{ErrBreakerOpen, e.Err} }

// Unsent reports whether err proves that the server has not seen the request, which may then be sent again, also
// when it is not idempotent. False means that the outcome is unknown.
func Unsent(err error) bool {
	var ioErr *IOError
	if errors.As(err, &ioErr) {
		return ioErr.Unsent
	}
	var dial *DialError
	return errors.As(err, &dial) || errors.Is(err, ErrBreakerOpen) || errors.Is(err, ErrPoolClosed)
}

// errCanceled stands for a context.Canceled that is not the caller's.
var errCanceled = errors.New("the operation was canceled")

// isTimeout reports whether err is a deadline's doing: such reads and writes can be resumed.
func isTimeout(err error) bool {
	var ne net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &ne) && ne.Timeout()
}

// bare strips what package net wraps around an error, because the address is added once, by this package.
func bare(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	if isTimeout(err) && !errors.Is(err, os.ErrDeadlineExceeded) {
		return os.ErrDeadlineExceeded
	}
	return err
}

// cause is bare(err), unless err is a timeout or a cancellation because ctx ended: then it is the error of ctx. It is
// never a context's error otherwise, whatever the contexts that were derived from ctx on the way.
func cause(ctx context.Context, err error) error {
	canceled := errors.Is(err, context.Canceled)
	if !canceled && !errors.Is(err, context.DeadlineExceeded) && !isTimeout(err) {
		return bare(err)
	}
	if ended := ended(ctx); ended != nil {
		return ended
	}
	if canceled {
		return errCanceled
	}
	return os.ErrDeadlineExceeded
}

// ended is ctx.Err(), except that a deadline that has passed counts even where the context's timer is late.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if d, ok := ctx.Deadline(); ok && !time.Now().Before(d) {
		return context.DeadlineExceeded
	}
	return nil
}
