package otelslotcast

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/resp"
)

func TestKind(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"an error reply", &conn.DialError{Addr: "a:1", Op: "AUTH", Err: resp.NewError("WRONGPASS invalid")}, "WRONGPASS"},
		{"cancelled", fmt.Errorf("wait: %w", context.Canceled), "canceled"},
		{"the context's time", context.DeadlineExceeded, "timeout"},
		{"the socket's time", &conn.IOError{Addr: "a:1", Op: "read", Err: os.ErrDeadlineExceeded}, "timeout"},
		{"breaker", &conn.UnavailableError{Addr: "a:1", Err: conn.ErrBreakerOpen}, "breaker_open"},
		{"breaker, opened by a time-out", errors.Join(os.ErrDeadlineExceeded, conn.ErrBreakerOpen), "breaker_open"},
		{"refused", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, "syscall.Errno"},
		{"end of the stream", &conn.IOError{Addr: "a:1", Op: "read", Err: io.ErrUnexpectedEOF}, "*errors.errorString"},
		{"of several nodes", &batch.Error{}, "*batch.Error"},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, kind(tt.err)) })
	}
}

func TestNamesAreKept(t *testing.T) {
	var n names
	e := exchange{"10.0.0.1:7000", true}
	assert.Same(t, n.of(e, nil), n.of(e, nil))
	assert.NotSame(t, n.of(e, nil), n.of(exchange{e.addr, false}, nil))
	assert.NotSame(t, n.of(e, nil), n.of(e, io.EOF))
	for i := range 3 * mostNames {
		n.of(exchange{"10.0.0.1:" + strconv.Itoa(i), false}, nil)
		n.of(exchange{"10.0.0.1:" + strconv.Itoa(i), false}, fmt.Errorf("%d", i))
		assert.LessOrEqual(t, len(n.known), mostNames)
	}
}

func TestServer(t *testing.T) {
	for addr, want := range map[string]string{
		"10.0.0.1:7000": "server.address=10.0.0.1 server.port=7000 ",
		"[::1]:7000":    "server.address=::1 server.port=7000 ",
		"node:redis":    "server.address=node ",
		"odd":           "server.address=odd ",
	} {
		got := ""
		for _, a := range server(addr) {
			got += fmt.Sprintf("%s=%s ", a.Key, a.Value.String())
		}
		assert.Equal(t, want, got)
	}
}
