package batch

import (
	"time"

	"github.com/slotcast/slotcast/conn"
)

// A run is what an op has to do with one node: a queue of groups, of which the first ones have been sent and are being
// answered in order, and the rest is still to be sent.
type run struct {
	node *node
	conn *conn.Conn // nil until needed, and again when the queue is empty

	first  int32 // the group whose reply comes next
	unsent int32 // the first group that has not been encoded
	last   int32

	flight  int   // bytes of commands sent and not yet answered
	stage   stage // how far the replies that belong to the first group have been read
	awaited bool  // a connection has been asked for and has not arrived
	partly  bool  // a part of what was encoded is still to be written
	loaded  bool  // the script's text was sent on this connection: it is there from then on
	heard   bool  // the node has answered something
	stale   bool  // the node is not what the map says: dial it anew
	denied  error // the answer to the first group's ASKING, if that was an error
	unwell  error // the node answers, but says that it cannot serve

	// For the trace.
	asked, ready, firstByte time.Time
	sent0, in0              int64 // the connection's totals when it was taken
	commands, keys          int
}

// A stage is the position within the replies that one group gets.
type stage uint8

const (
	atPreface  stage = iota // the reply to what was sent in front of the command, if anything was
	atReply                 // the reply to the command
	atElements              // within its array
)

func (o *op) runOf(n *node) *run {
	if int(n.id) >= len(o.runAt) {
		o.runAt = append(o.runAt, make([]int32, int(n.id)+1-len(o.runAt))...)
	}
	if o.runAt[n.id] == 0 {
		o.runs = append(o.runs, run{node: n, first: none, unsent: none, last: none})
		o.runAt[n.id] = int32(len(o.runs))
	}
	return &o.runs[o.runAt[n.id]-1]
}

// push puts a group at the end of the run's queue.
func (o *op) push(r *run, gi int32) {
	o.groups[gi].next = none
	if r.first == none {
		r.first = gi
		o.busy++
	} else {
		o.groups[r.last].next = gi
	}
	if r.unsent == none {
		r.unsent = gi
	}
	r.last = gi
}

// pop takes the first group out of the run's queue.
func (o *op) pop(r *run) int32 {
	gi := r.first
	if r.unsent == gi {
		r.unsent = o.groups[gi].next
	} else {
		r.flight -= o.groups[gi].bytes
	}
	r.first = o.groups[gi].next
	r.stage = atPreface
	if r.first == none {
		r.last = none
		o.busy--
	}
	return gi
}
