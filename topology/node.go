package topology

import "strings"

// Node is one server of the cluster.
type Node struct {
	// ID is the node's 40 hex digits, or "" when only its address is known (a MOVED names no id).
	ID string
	// Addr is the host:port to dial, after Asked.MapAddr; IPv6 hosts stand in brackets.
	Addr string
	// Health is the server's own word, or "" when it said none (CLUSTER SLOTS never does). Only "online" means anything
	// to this package; servers invent others.
	Health string
	// AvailabilityZone is where the node runs, or "". Valkey ≥ 9.1 tells it when it is configured.
	AvailabilityZone string
}

// Online is the Health of a node that its peers can reach. A node that fails is called online until they notice.
const Online = "online"

// key names a node for comparisons between views: its id, or its address when it has none. Who is asked decides which
// address of a node is shown (https://github.com/valkey-io/valkey/pull/736), so addresses do not identify.
func (n Node) key() string {
	if n.ID != "" {
		return n.ID
	}
	return n.Addr
}

func compareNodes(a, b Node) int {
	if c := strings.Compare(a.ID, b.ID); c != 0 {
		return c
	}
	return strings.Compare(a.Addr, b.Addr)
}

// Range is a half-open range of slots, [Start, End).
type Range struct{ Start, End uint16 }

// Shard is a primary, its replicas, and the slots they hold. A shard may hold no slots.
type Shard struct {
	// ID is the server's name of the shard, or "". Only Valkey ≥ 9.1 tells it, so nothing here relies on it.
	ID       string
	Primary  Node
	Replicas []Node
	Slots    []Range // sorted, not touching each other
}
