package batch

import (
	"context"
	"errors"
	"time"

	"github.com/slotcast/slotcast/topology"
)

// An op is one call of Get or Set while it runs. It is driven by the goroutine of the call; the goroutines it may start
// (to open connections, to refresh the topology) only send it what they got. Ops are reused.
//
// The open items of the batch are in groups, and each group is in exactly one place: in open (to be sent now), in the
// queue of a run (to be sent to, or being answered by, a node), in waiting or in unserved (to be opened later). A group in
// none of them is done: its items are answered or recorded as failed.
type op struct {
	c *Client
	grouping
	verb   verb
	reads  reads
	writes writes

	ctx      context.Context
	start    time.Time
	deadline time.Time

	open     []int32
	waiting  []sleeper
	wake     time.Time // when the first of them wakes
	spread   float64   // of this op's waits, see wait; 0 until needed
	unserved []int32   // until the topology has been refreshed
	moves    []topology.Move

	runs  []run
	runAt []int32 // by node id: index into runs, plus one
	busy  int     // runs that have groups

	partial int // runs with a request that is partly written

	arrivals arrivals
	refresh  refresh
	cancel   canceller
	failures failures
	hops     int // redirects followed, for the trace
}

// A verb is what an op does with its groups: read them or store them.
type verb interface {
	// appendCommand appends the command for the group, and in front of it a preface if it needs one.
	appendCommand(dst []byte, o *op, r *run, g *group) []byte

	// receive reads the reply to the group's command, or goes on reading it. Its errors are those of receiveGroup.
	receive(o *op, r *run, gi int32) error
}

func newOp(c *Client) *op {
	o := &op{c: c}
	o.cancel.init()
	return o
}

// do runs the call, with up to most keys to a command.
func (o *op) do(ctx context.Context, items manyItems, v verb, most int) error {
	n := items.Len()
	o.c.counts.batches.Add(1)
	o.c.counts.items.Add(int64(n))
	if err := o.c.usable(ctx); err != nil {
		o.c.counts.failed.Add(int64(n))
		return err
	}
	if n == 0 {
		return nil
	}
	o.begin(ctx, v)
	ended := false
	defer func() {
		if !ended { // the caller's items have panicked
			o.abandon()
		}
	}()
	o.group(n, items, int32(most))
	for gi := range o.groups {
		o.open = append(o.open, int32(gi))
	}
	o.exchange()
	ended = true
	return o.end(n)
}

// usable tells why no call can be made, or nil.
func (c *Client) usable(ctx context.Context) error {
	if c.closed.Load() {
		return ErrClosed
	}
	return ctx.Err()
}

func (o *op) begin(ctx context.Context, v verb) {
	o.ctx, o.verb = ctx, v
	o.start = time.Now()
	o.deadline = o.start.Add(o.c.cfg.Conn.Timeout)
	if end, ok := ctx.Deadline(); ok && end.Before(o.deadline) {
		o.deadline = end
	}
	o.cancel.watch(ctx)
}

// end lets go of everything that belongs to this call.
func (o *op) end(total int) error {
	o.cancel.stop()
	o.arrivals.stop()
	o.refresh.stop()
	o.patch() // what was learned just before the time was up
	err := o.failures.err(total)
	failed := 0
	if err != nil {
		failed = err.(*Error).Failed
		o.c.counts.failed.Add(int64(failed))
	}
	if t := o.c.cfg.Trace; t != nil && t.BatchDone != nil {
		t.BatchDone(BatchInfo{Write: o.writing(), Items: total, Failed: failed, Redirects: o.hops, Total: time.Since(o.start), Err: err})
	}
	for i := range o.runs {
		o.runAt[o.runs[i].node.id] = 0
	}
	o.runs = emptied(o.runs, total)
	o.groups = emptied(o.groups, total)
	o.open, o.waiting, o.unserved = emptied(o.open, total), emptied(o.waiting, total), emptied(o.unserved, total)
	o.ctx, o.verb, o.hops, o.spread = nil, nil, 0, 0
	return err
}

// writing reports whether the call is a Set.
func (o *op) writing() bool {
	_, write := o.verb.(*writes)
	return write
}

// abandon lets go of what others would miss, after a panic. The op is not used again.
func (o *op) abandon() {
	o.cancel.stop()
	for i := range o.runs {
		if r := &o.runs[i]; r.conn != nil {
			r.conn.Fail(errAbandoned)
			r.node.pool.Put(r.conn)
		}
	}
	o.arrivals.stop()
	o.refresh.stop()
}

// errAbandoned is why a connection is dropped whose conversation ended in a panic.
var errAbandoned = errors.New("conversation abandoned")
