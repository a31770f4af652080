package topology

import (
	"fmt"
	"slices"

	"github.com/slotcast/slotcast/resp"
)

// DecodeSlots decodes a reply to CLUSTER SLOTS, in RESP2 or RESP3, of any version. Ranges of one primary become one
// shard. Unlike CLUSTER SHARDS it names no node without slots, no shard ids, no zones and no health, and leaves out
// replicas that failed (https://github.com/redis/redis/pull/12824).
//
// Nodes without a usable address are left out; the slots of a primary that is left out stay unassigned. It is an error
// when a range is not one, and when nothing usable is left.
func DecodeSlots(v resp.Value, from Asked) ([]Shard, error) {
	d := decoder{from: from}
	return d.slots(v)
}

func (d *decoder) slots(v resp.Value) ([]Shard, error) {
	elems, err := elements(v, "the reply to CLUSTER SLOTS")
	if err != nil {
		return nil, err
	}
	var shards []Shard
	at := make(map[string]int) // by key of the primary
	for _, e := range elems {
		entry, err := elements(e, "a slot range")
		if err != nil {
			return nil, err
		}
		if len(entry) < 2 {
			return nil, fmt.Errorf("topology: a slot range of %d elements", len(entry))
		}
		r, err := slotRange(entry[0], entry[1])
		if err != nil {
			return nil, err
		}
		nodes, err := d.slotNodes(entry[2:])
		if err != nil {
			return nil, err
		}
		if len(nodes) == 0 || nodes[0].Addr == "" {
			d.note("topology: slots from %d left unassigned: they have no usable primary", r.Start)
			continue
		}
		i, ok := at[nodes[0].key()]
		if !ok {
			i = len(shards)
			at[nodes[0].key()] = i
			shards = append(shards, Shard{Primary: nodes[0]})
		}
		shards[i].add(r, nodes[1:])
	}
	return shards, d.usable(shards)
}

// add gives s another range and those of the replicas it does not have yet.
func (s *Shard) add(r Range, replicas []Node) {
	s.Slots = append(s.Slots, r)
	for _, n := range replicas {
		if n.Addr == "" || slices.ContainsFunc(s.Replicas, func(m Node) bool { return m.key() == n.key() }) {
			continue
		}
		s.Replicas = append(s.Replicas, n)
	}
}

// slotNodes decodes the nodes of a range, the primary first: host, port and, since Redis 4, an id; since Redis 7, other
// names of the host.
func (d *decoder) slotNodes(elems []resp.Value) ([]Node, error) {
	nodes := make([]Node, 0, len(elems))
	for _, e := range elems {
		fields, err := elements(e, "a node of a slot range")
		if err != nil {
			return nil, err
		}
		if len(fields) < 2 {
			return nil, fmt.Errorf("topology: a node of a slot range of %d elements", len(fields))
		}
		var n Node
		place := endpoint{told: true, endpoint: textOf(fields[0])}
		if len(fields) > 2 {
			n.ID = textOf(fields[2])
		}
		if len(fields) > 3 {
			place.hostname, place.ip = otherNames(fields[3])
		}
		port := portOf(fields[1])
		var ok bool
		if n.Addr, ok = d.from.addr(place.host(), port); !ok {
			d.note("topology: node %q left out: no usable address in host %q, port %d", n.ID, place.host(), port)
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// otherNames reads the metadata of a node, a map or a flat array. Anything else is ignored, since the form of this part
// differs between servers.
func otherNames(v resp.Value) (hostname, ip string) {
	h, _ := v.Get("hostname")
	i, _ := v.Get("ip")
	return textOf(h), textOf(i)
}
