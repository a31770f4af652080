package topology_test

import (
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/topology"
)

func bulk(s string) resp.Value { return resp.Value{Kind: resp.KindBulk, Text: s} }
func number(i int) resp.Value  { return resp.Value{Kind: resp.KindInt, Int: int64(i)} }
func null() resp.Value         { return resp.Value{Kind: resp.KindNull} }
func array(elems ...resp.Value) resp.Value {
	return resp.Value{Kind: resp.KindArray, Elems: elems}
}
func dict(elems ...resp.Value) resp.Value {
	return resp.Value{Kind: resp.KindMap, Elems: elems}
}

func hostOf(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	return host
}

func portOf(addr string) int {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		panic(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		panic(err)
	}
	return n
}

// shardsReply is what CLUSTER SHARDS says of shards, in RESP3.
func shardsReply(shards []topology.Shard) resp.Value {
	reply := array()
	for _, s := range shards {
		slots := array()
		for _, r := range s.Slots {
			slots.Elems = append(slots.Elems, number(int(r.Start)), number(int(r.End)-1))
		}
		nodes := array(shardNode(s.Primary, "master"))
		for _, r := range s.Replicas {
			nodes.Elems = append(nodes.Elems, shardNode(r, "replica"))
		}
		reply.Elems = append(reply.Elems, dict(bulk("slots"), slots, bulk("nodes"), nodes))
	}
	return reply
}

func shardNode(n topology.Node, role string) resp.Value {
	host := hostOf(n.Addr)
	return dict(bulk("id"), bulk(n.ID), bulk("port"), number(portOf(n.Addr)), bulk("ip"), bulk(host), bulk("endpoint"), bulk(host),
		bulk("role"), bulk(role), bulk("replication-offset"), number(72156), bulk("health"), bulk(n.Health))
}

// slotsReply is what CLUSTER SLOTS says of shards, in RESP3.
func slotsReply(shards []topology.Shard) resp.Value {
	reply := array()
	for _, s := range shards {
		for _, r := range s.Slots {
			entry := array(number(int(r.Start)), number(int(r.End)-1), slotNode(s.Primary))
			for _, n := range s.Replicas {
				entry.Elems = append(entry.Elems, slotNode(n))
			}
			reply.Elems = append(reply.Elems, entry)
		}
	}
	return reply
}

func slotNode(n topology.Node) resp.Value {
	return array(bulk(hostOf(n.Addr)), number(portOf(n.Addr)), bulk(n.ID), dict())
}

// parse decodes one reply in wire form.
func parse(t testing.TB, wire string) resp.Value {
	t.Helper()
	v, err := resp.NewReader(strings.NewReader(wire), resp.Limits{}).Value()
	require.NoError(t, err)
	return v
}
