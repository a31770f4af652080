package fuzz_test

import (
	"net"
	"strconv"

	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/topology"
)

func bulk(s string) resp.Value             { return resp.Value{Kind: resp.KindBulk, Text: s} }
func number(i int) resp.Value              { return resp.Value{Kind: resp.KindInt, Int: int64(i)} }
func null() resp.Value                     { return resp.Value{Kind: resp.KindNull} }
func array(elems ...resp.Value) resp.Value { return resp.Value{Kind: resp.KindArray, Elems: elems} }
func dict(elems ...resp.Value) resp.Value  { return resp.Value{Kind: resp.KindMap, Elems: elems} }
func failure(line string) resp.Value       { return resp.Value{Kind: resp.KindError, Text: line} }
func ends(first, last int) []resp.Value    { return []resp.Value{number(first), number(last)} }
func seedNode(more ...resp.Value) resp.Value {
	return dict(append([]resp.Value{bulk("id"), bulk("a"), bulk("port"), number(6379), bulk("role"), bulk("master")}, more...)...)
}
func seedShard(slots resp.Value, nodes ...resp.Value) resp.Value {
	return dict(bulk("slots"), slots, bulk("nodes"), array(nodes...))
}

// shardsSeeds are of the tables of package topology's tests.
var shardsSeeds = []resp.Value{
	array(),
	null(),
	failure("ERR unknown subcommand"),
	array(number(5)),
	array(array(bulk("slots"), array(), bulk("nodes"))),
	array(seedShard(array(ends(0, 16383)...), seedNode(bulk("endpoint"), bulk("h"), bulk("health"), bulk("online")))),
	array(seedShard(array(bulk("0"), bulk("16383")), seedNode(bulk("endpoint"), null(), bulk("ip"), bulk("10.0.0.1")))),
	array(seedShard(array(ends(0, 16384)...), seedNode(bulk("endpoint"), bulk("?"), bulk("hostname"), bulk("node1")))),
	array(seedShard(array(ends(6, 5)...), seedNode(bulk("endpoint"), bulk("::1"), bulk("tls-port"), number(6390)))),
	array(seedShard(array(number(0), number(5), number(6)), seedNode())),
	array(
		seedShard(array(ends(0, 99)...), seedNode(bulk("endpoint"), bulk("h")),
			dict(bulk("id"), bulk("b"), bulk("port"), bulk("7000"), bulk("ip"), bulk("h"), bulk("role"), bulk("replica"), bulk("health"), bulk("loading"))),
		dict(bulk("nodes"), array(seedNode(bulk("endpoint"), bulk("i"), bulk("weather"), dict(bulk("rain"), null()))),
			bulk("id"), bulk("shard-2"), bulk("slots"), array(append(ends(100, 199), ends(50, 16383)...)...))),
	array(seedShard(array(ends(0, 1)...), seedNode(bulk("endpoint"), bulk("h"), bulk("health"), bulk("fail")),
		seedNode(bulk("endpoint"), bulk("i"), bulk("health"), bulk("online"), bulk("availability-zone"), bulk("z")))),
	array(seedShard(array(), array())),
}

var slotsSeeds = []resp.Value{
	array(),
	failure("ERR no"),
	array(number(5)),
	array(array(number(5))),
	array(array(ends(0, 16384)...)),
	array(array(ends(0, 1)...)),
	array(array(append(ends(0, 16383), array(bulk("h"), number(1)))...)),
	array(array(append(ends(0, 16383), array(null(), bulk("7001"), bulk("a"), dict(bulk("ip"), bulk("10.0.0.1"))))...)),
	array(array(append(ends(0, 99), array(bulk("?"), number(1), bulk("a"), array(bulk("hostname"), bulk("node1"))))...)),
	array(
		array(append(ends(0, 99), array(bulk("ha"), number(1), bulk("a")), array(bulk("hb"), number(2), bulk("b"), array()))...),
		array(append(ends(200, 299), array(bulk("hc"), number(3), bulk("c"), dict(), bulk("more")))...),
		array(append(ends(100, 199), array(bulk("ha"), number(1), bulk("a")), array(bulk("hd"), number(4), bulk("d")))...)),
}

// shardsReply is what CLUSTER SHARDS says of shards.
func shardsReply(shards []topology.Shard) resp.Value {
	reply := array()
	for _, s := range shards {
		slots := array()
		for _, r := range s.Slots {
			slots.Elems = append(slots.Elems, ends(int(r.Start), int(r.End)-1)...)
		}
		nodes := array(shardNode(s.Primary, "master"))
		for _, n := range s.Replicas {
			nodes.Elems = append(nodes.Elems, shardNode(n, "replica"))
		}
		reply.Elems = append(reply.Elems, dict(bulk("slots"), slots, bulk("nodes"), nodes, bulk("id"), bulk(s.ID)))
	}
	return reply
}

func shardNode(n topology.Node, role string) resp.Value {
	host, port := hostPort(n)
	return dict(bulk("id"), bulk(n.ID), bulk("port"), number(port), bulk("endpoint"), bulk(host), bulk("role"), bulk(role),
		bulk("health"), bulk(n.Health), bulk("availability-zone"), bulk(n.AvailabilityZone))
}

// slotsReply is what CLUSTER SLOTS says of shards.
func slotsReply(shards []topology.Shard) resp.Value {
	reply := array()
	for _, s := range shards {
		for _, r := range s.Slots {
			entry := array(append(ends(int(r.Start), int(r.End)-1), slotNode(s.Primary))...)
			for _, n := range s.Replicas {
				entry.Elems = append(entry.Elems, slotNode(n))
			}
			reply.Elems = append(reply.Elems, entry)
		}
	}
	return reply
}

func slotNode(n topology.Node) resp.Value {
	host, port := hostPort(n)
	return array(bulk(host), number(port), bulk(n.ID), dict())
}

func hostPort(n topology.Node) (host string, port int) {
	host, text, _ := net.SplitHostPort(n.Addr)
	port, _ = strconv.Atoi(text)
	return host, port
}
