package fakeredis

import (
	"fmt"
	"strings"

	"github.com/slotcast/slotcast/resp"
)

// view is the reply to CLUSTER SHARDS and CLUSTER SLOTS, in RESP3.
func (c *Cluster) view(cmd []string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.views++
	switch strings.ToUpper(cmd[1]) {
	case "SHARDS":
		var out []byte
		count := 0
		for i, n := range c.nodes {
			if !n.left {
				count++
				out = n.appendShard(out, c.ranges(i))
			}
		}
		return append(resp.AppendArray(nil, count), out...)
	case "SLOTS":
		var out []byte
		count := 0
		for i, n := range c.nodes {
			for _, r := range c.ranges(i) {
				count++
				out = resp.AppendArray(out, 3)
				out = resp.AppendInt(resp.AppendInt(out, int64(r[0])), int64(r[1]))
				out = resp.AppendArray(out, 3)
				out = resp.AppendBulkString(out, "127.0.0.1")
				out = resp.AppendInt(out, int64(n.port))
				out = resp.AppendBulkString(out, n.id())
			}
		}
		return append(resp.AppendArray(nil, count), out...)
	}
	return resp.AppendError(nil, fmt.Sprintf("ERR unknown subcommand '%s'", cmd[1]))
}

// ranges are the slots of a node, first and last.
func (c *Cluster) ranges(node int) [][2]int {
	var out [][2]int
	for slot, owner := range c.owner {
		if owner != node {
			continue
		}
		if n := len(out); n > 0 && out[n-1][1] == slot-1 {
			out[n-1][1] = slot
			continue
		}
		out = append(out, [2]int{slot, slot})
	}
	return out
}

func (n *Node) id() string { return fmt.Sprintf("%040x", n.index+1) }

func (n *Node) appendShard(dst []byte, ranges [][2]int) []byte {
	dst = resp.AppendMap(dst, 2)
	dst = resp.AppendBulkString(dst, "slots")
	dst = resp.AppendArray(dst, 2*len(ranges))
	for _, r := range ranges {
		dst = resp.AppendInt(resp.AppendInt(dst, int64(r[0])), int64(r[1]))
	}
	dst = resp.AppendBulkString(dst, "nodes")
	dst = resp.AppendArray(dst, 1)
	dst = resp.AppendMap(dst, 6)
	dst = resp.AppendBulkString(resp.AppendBulkString(dst, "id"), n.id())
	dst = resp.AppendInt(resp.AppendBulkString(dst, "port"), int64(n.port))
	dst = resp.AppendBulkString(resp.AppendBulkString(dst, "ip"), "127.0.0.1")
	dst = resp.AppendBulkString(resp.AppendBulkString(dst, "endpoint"), "127.0.0.1")
	dst = resp.AppendBulkString(resp.AppendBulkString(dst, "role"), "master")
	dst = resp.AppendBulkString(resp.AppendBulkString(dst, "health"), "online")
	return dst
}
