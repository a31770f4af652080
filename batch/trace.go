package batch

import (
	"time"

	"github.com/slotcast/slotcast/topology"
)

// Trace is a set of functions called as batches go by, per batch and per node round trip, never per key. Any of them
// may be nil. They are called from the goroutine of the batch and must be fast and safe for concurrent use.
type Trace struct {
	// BatchDone is called at the end of each Get and Set.
	BatchDone func(BatchInfo)

	// NodeDone is called when a node has answered all that a batch asked of it, or has failed it. A node is met more
	// than once by a batch that was redirected.
	NodeDone func(NodeInfo)

	// TopologyChanged is called after the map of the cluster has changed; old is nil the first time.
	TopologyChanged func(old, new *topology.Map)
}

// BatchInfo is what a Trace learns of one Get or Set.
type BatchInfo struct {
	Write     bool
	Items     int
	Failed    int
	Redirects int           // groups of keys that followed MOVED or ASK
	Total     time.Duration // from call to return
	Err       error
}

// NodeInfo is what a Trace learns of one batch's exchange with one node. A batch reads its nodes in turn, so the times of one
// may have waited for another.
type NodeInfo struct {
	Addr      string
	Write     bool
	Commands  int
	Keys      int
	BytesOut  int64
	BytesIn   int64
	Wait      time.Duration // for a connection
	FirstByte time.Duration // from having a connection to having its first reply
	Total     time.Duration // from asking for a connection to giving it back
	Err       error
}
