package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/resp"
)

// A request is the commands that go to one primary in one write, and the number of their replies.
type request struct {
	node    *node
	replies int
	write   func(dst []byte) []byte // appends the commands
}

// exchangeTime bounds one exchange.
const exchangeTime = 30 * time.Second

// exchange sends all requests, each with one write, and then reads their replies one by one in that order: reply i of request
// q is at the reader when read is called, which reads it whole. It is safe for concurrent use. Requests go to different
// primaries, in the order of the primaries' numbers.
func exchange(ctx context.Context, requests []request, read func(q, i int, r *resp.Reader) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, exchangeTime)
	defer cancel()
	conns := make([]*conn.Conn, len(requests))
	defer func() {
		for q, c := range conns {
			if c != nil {
				requests[q].node.pool.Put(c)
			}
		}
	}()
	for q := range requests {
		if conns[q], err = requests[q].node.pool.Get(ctx); err != nil {
			return err
		}
	}
	aborted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(aborted)
		for _, c := range conns {
			c.Abort()
		}
	})
	defer func() {
		if !stop() {
			<-aborted // before the connections go back: see conn.Conn.Abort
			err = errors.Join(err, ctx.Err())
		}
	}()
	for q, c := range conns {
		c.Commit(requests[q].write(c.Out()), requests[q].replies)
		for done := false; !done; {
			if done, err = c.Flush(); err != nil {
				return err
			}
		}
	}
	for q, c := range conns {
		for i := range requests[q].replies {
			if err := read(q, i, c.Reader()); err != nil {
				return fmt.Errorf("%s: %w", c.Addr(), err)
			}
			c.Received()
		}
	}
	return nil
}
