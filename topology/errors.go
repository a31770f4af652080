package topology

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrNotCluster is returned, wrapped, when a node runs without cluster support.
	ErrNotCluster = errors.New("topology: the server runs without cluster support")
	// ErrNotReady is returned, wrapped, when a node knows of no slot that is served: a cluster that is being made, or a
	// node that has not joined one. It may succeed later.
	ErrNotReady = errors.New("topology: no slots are served: the cluster is not ready")
	// ErrSlotUncovered says that a slot is served by nobody. This package returns it nowhere; it is for the users of a
	// Map.
	ErrSlotUncovered = errors.New("topology: the slot is served by no node")
	// ErrDisputed is returned, wrapped, when the nodes' views of the cluster contradict what is known and were not
	// confirmed. The map stays as it was.
	ErrDisputed = errors.New("topology: the views of the cluster contradict each other")
	// ErrClosed is returned by a Tracker that was closed.
	ErrClosed = errors.New("topology: the tracker is closed")
	// ErrOldServer is returned by Config.Ask instead of sending CLUSTER SHARDS to a server that is not [ShardsSafe].
	ErrOldServer = errors.New("topology: CLUSTER SHARDS can crash this version")
)

// NodeError is what became of asking one node.
type NodeError struct {
	Addr string
	Err  error
}

func (e *NodeError) Error() string { return e.Addr + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *NodeError) Unwrap() error { return e.Err }

// SeedsError is returned when no node could say what the cluster looks like, neither a known one nor a seed. It unwraps
// to the causes, so errors.Is and errors.As find what any one node said.
type SeedsError struct {
	Nodes []*NodeError // those asked, in the order in which they answered; empty if there are no seeds
}

// shownNodes bounds the length of the text of a SeedsError.
const shownNodes = 5

func (e *SeedsError) Error() string {
	if len(e.Nodes) == 0 {
		return "topology: no seeds are configured"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "topology: none of %d nodes could tell: ", len(e.Nodes))
	for i, n := range e.Nodes {
		if i == shownNodes {
			fmt.Fprintf(&b, "; and %d more", len(e.Nodes)-i)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(n.Error())
	}
	return b.String()
}

// Unwrap returns the causes.
func (e *SeedsError) Unwrap() []error {
	causes := make([]error, len(e.Nodes))
	for i, n := range e.Nodes {
		causes[i] = n
	}
	return causes
}

// PermissionError is returned when the user may run neither CLUSTER SHARDS nor CLUSTER SLOTS.
type PermissionError struct {
	Addr string // the node that said so
	Err  error  // its reply, a *resp.Error
}

func (e *PermissionError) Error() string {
	return fmt.Sprintf("topology: %s: %v (a cluster client needs the ACL rules %s)", e.Addr, e.Err, neededRules)
}

// Unwrap returns the server's reply.
func (e *PermissionError) Unwrap() error { return e.Err }

// neededRules are the ACL rules of the commands the layers of this library send about the cluster, beside the data
// commands themselves.
const neededRules = "+cluster|shards +cluster|slots +asking +readonly +evalsha"
