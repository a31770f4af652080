package topology

import (
	"errors"
	"fmt"

	"github.com/slotcast/slotcast/resp"
)

// errTwoPrimaries is returned for a shard in which more than one master may be the primary: just after a failover, or
// when a node was added again under its old shard id and both are alive (https://github.com/redis/redis/issues/13362).
// CLUSTER SLOTS knows.
var errTwoPrimaries = errors.New("topology: a shard has several masters and no single one is online")

// DecodeShards decodes a reply to CLUSTER SHARDS, in RESP2 or RESP3, of Redis ≥ 7.0 and Valkey. Unknown fields of any
// type are ignored, in any order.
//
// Nodes without a usable address are left out, and so are shards without a usable primary: their slots stay unassigned.
// The shards are in the server's order; NewMap checks that they do not overlap. It is an error when slots are not
// numbers, not pairs or out of range, when a shard has two primaries, and when nothing usable is left.
func DecodeShards(v resp.Value, from Asked) ([]Shard, error) {
	d := decoder{from: from}
	return d.shards(v)
}

func (d *decoder) shards(v resp.Value) ([]Shard, error) {
	elems, err := elements(v, "the reply to CLUSTER SHARDS")
	if err != nil {
		return nil, err
	}
	shards := make([]Shard, 0, len(elems))
	for _, e := range elems {
		s, err := d.shard(e)
		if err != nil {
			return nil, err
		}
		if s.Primary.Addr != "" {
			shards = append(shards, s)
		}
	}
	return shards, d.usable(shards)
}

func (d *decoder) shard(v resp.Value) (Shard, error) {
	fields, err := v.Pairs()
	if err != nil {
		return Shard{}, fmt.Errorf("topology: a shard: %w", err)
	}
	var s Shard
	var nodes []resp.Value
	for k, field := range fields {
		switch textOf(k) {
		case "slots":
			s.Slots, err = d.slotPairs(field)
		case "nodes":
			nodes, err = elements(field, "nodes of a shard")
		case "id":
			s.ID = textOf(field)
		}
		if err != nil {
			return Shard{}, err
		}
	}
	members := make([]member, 0, len(nodes))
	for _, n := range nodes {
		m, err := d.member(n)
		if err != nil {
			return Shard{}, err
		}
		members = append(members, m)
	}
	return s, d.appoint(&s, members)
}

func (d *decoder) slotPairs(v resp.Value) ([]Range, error) {
	elems, err := elements(v, "slots of a shard")
	if err != nil {
		return nil, err
	}
	if len(elems)%2 == 1 {
		return nil, fmt.Errorf("topology: slots of a shard: %d numbers are not pairs", len(elems))
	}
	var ranges []Range
	for i := 0; i < len(elems); i += 2 {
		r, err := slotRange(elems[i], elems[i+1])
		if err != nil {
			return nil, err
		}
		ranges = append(ranges, r)
	}
	return ranges, nil
}

// appoint finds the primary of s among its members, and makes the others with an address its replicas. The primary has
// no address when there is none that can be used; s has no slots then.
func (d *decoder) appoint(s *Shard, members []member) error {
	primary, err := primaryOf(members)
	if err != nil {
		return err
	}
	for i, m := range members {
		if m.Addr == "" {
			d.note("topology: node %q left out: no usable address in host %q, port %d", m.ID, m.host, m.port)
			continue
		}
		if i == primary {
			s.Primary = m.Node
			continue
		}
		s.Replicas = append(s.Replicas, m.Node)
	}
	if s.Primary.Addr == "" && len(s.Slots) > 0 {
		d.note("topology: slots from %d left unassigned: their shard has no usable primary", s.Slots[0].Start)
		s.Slots = nil
	}
	return nil
}

// primaryOf returns the index of the primary, or -1. A failed primary and the replica promoted in its place may both be
// called master (https://github.com/valkey-io/valkey/issues/784); then the one that is online is it.
func primaryOf(members []member) (int, error) {
	master, masters, online, onlines := -1, 0, -1, 0
	for i, m := range members {
		if !m.master {
			continue
		}
		master = i
		masters++
		if m.Health == Online {
			online = i
			onlines++
		}
	}
	switch {
	case onlines == 1:
		return online, nil
	case masters <= 1:
		return master, nil
	}
	return -1, errTwoPrimaries
}
