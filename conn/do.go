package conn

import (
	"context"
	"os"
	"time"

	"github.com/slotcast/slotcast/resp"
)

// Do sends one command and reads its reply as a tree: for the seldom command, it allocates. An error reply comes back
// as *[resp.Error], as the server said it, and the connection is fit for more. After any other error the reply may
// still be owed, and further calls give [ErrOwed] or the error that broke the connection. The context bounds the call,
// [Config.Timeout] where it has no deadline (given by the configuration the connection was dialled with).
func (c *Conn) Do(ctx context.Context, args ...string) (resp.Value, error) {
	if c.broken != nil {
		return resp.Value{}, c.broken
	}
	if c.pending != 0 || len(c.out) != 0 {
		return resp.Value{}, &IOError{Addr: c.addr, Op: "write", Unsent: true, Err: ErrOwed}
	}
	if err := ended(ctx); err != nil {
		return resp.Value{}, &IOError{Addr: c.addr, Op: "write", Unsent: true, Err: err}
	}
	defer c.watch(ctx)()
	c.Commit(resp.AppendCommand(c.Out(), args...), 1)
	if err := c.flushAll(ctx); err != nil {
		return resp.Value{}, err
	}
	v, err := c.read(ctx)
	if err != nil {
		return resp.Value{}, err
	}
	return v, v.Err()
}

// flushAll sends what is committed; the deadline is the end.
func (c *Conn) flushAll(ctx context.Context) error {
	done, err := c.Flush()
	if done {
		return nil
	}
	if err == nil || isTimeout(err) {
		return &IOError{Addr: c.addr, Op: "write", Unsent: c.sent == 0 && !c.part, Err: cause(ctx, os.ErrDeadlineExceeded)}
	}
	return err
}

// read reads one owed reply whole. It returns error replies as values.
func (c *Conn) read(ctx context.Context) (resp.Value, error) {
	v, err := c.reader.Value()
	if err != nil {
		if isTimeout(err) {
			return resp.Value{}, &IOError{Addr: c.addr, Op: "read", Err: cause(ctx, err)}
		}
		return resp.Value{}, c.Fail(err)
	}
	c.Received()
	return v, nil
}

// watch bounds what follows by ctx, or by the timeout where ctx has no deadline. The function it returns ends that.
func (c *Conn) watch(ctx context.Context) (stop func()) {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(c.timeout)
	}
	c.arm(deadline, time.Time{})
	if ctx.Done() == nil {
		return func() { c.arm(time.Time{}, c.limit) }
	}
	fired := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() {
		_ = c.nc.SetDeadline(past)
		close(fired)
	})
	return func() {
		if !unhook() {
			<-fired // else its deadline could land after the one set below
		}
		c.arm(time.Time{}, c.limit)
	}
}
