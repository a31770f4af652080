package batch

import (
	"context"
	"sync"

	"github.com/slotcast/slotcast/conn"
)

// A canceller wakes all connections that an op holds when the context of its call ends: one context.AfterFunc per
// batch instead of one per connection.
type canceller struct {
	mu      sync.Mutex
	held    []*conn.Conn
	ended   bool
	stopped func() bool
	abort   func()        // method value, made once
	aborted chan struct{} // abort has run
}

func (c *canceller) init() {
	c.abort = c.run
	c.aborted = make(chan struct{}, 1)
}

// watch begins a call. A context that cannot end costs nothing.
func (c *canceller) watch(ctx context.Context) {
	if ctx.Done() != nil {
		c.stopped = context.AfterFunc(ctx, c.abort)
	}
}

// stop ends the call. When it returns, abort is not running and will not run.
func (c *canceller) stop() {
	if c.stopped == nil {
		return
	}
	if !c.stopped() {
		<-c.aborted
	}
	c.stopped, c.ended = nil, false
}

func (c *canceller) run() {
	c.mu.Lock()
	c.ended = true
	for _, nc := range c.held {
		nc.Abort()
	}
	c.mu.Unlock()
	c.aborted <- struct{}{}
}

// hold adds a connection to those that are woken.
func (c *canceller) hold(nc *conn.Conn) {
	c.mu.Lock()
	c.held = append(c.held, nc)
	if c.ended {
		nc.Abort()
	}
	c.mu.Unlock()
}

// drop takes a connection out. It is not woken any more when drop has returned.
func (c *canceller) drop(nc *conn.Conn) {
	c.mu.Lock()
	for i := range c.held {
		if c.held[i] == nc {
			last := len(c.held) - 1
			c.held[i], c.held[last] = c.held[last], nil
			c.held = c.held[:last]
			break
		}
	}
	c.mu.Unlock()
}
