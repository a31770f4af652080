package topology

import (
	"fmt"

	"github.com/slotcast/slotcast/resp"
)

// member is a node as CLUSTER SHARDS describes it. Its Addr is "" when it has none that can be dialled.
type member struct {
	Node
	master bool
	host   string // as announced, for messages
	port   int
}

func (d *decoder) member(v resp.Value) (member, error) {
	fields, err := v.Pairs()
	if err != nil {
		return member{}, fmt.Errorf("topology: a node of a shard: %w", err)
	}
	var m member
	var place endpoint
	var port, tlsPort int
	for k, field := range fields {
		switch textOf(k) {
		case "id":
			m.ID = textOf(field)
		case "endpoint":
			place.told, place.endpoint = true, textOf(field)
		case "hostname":
			place.hostname = textOf(field)
		case "ip":
			place.ip = textOf(field)
		case "port":
			port = portOf(field)
		case "tls-port":
			tlsPort = portOf(field)
		case "role":
			role := textOf(field)
			m.master = role == "master" || role == "primary"
		case "health":
			m.Health = textOf(field)
		case "availability-zone":
			m.AvailabilityZone = textOf(field)
		}
	}
	m.host, m.port = place.host(), port
	if d.from.TLS {
		// A port for plain connections is of no use here, even if it is the only one told
		// (https://github.com/redis/redis/pull/10293): CLUSTER SLOTS, asked over TLS, tells the right one.
		m.port = tlsPort
	}
	m.Addr, _ = d.from.addr(m.host, m.port)
	return m, nil
}
