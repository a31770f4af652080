package redistest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// member is one line of CLUSTER NODES: what one node thinks of another.
type member struct {
	id      string
	flags   []string
	primary string // the node id of its primary, "-" for a primary
	epoch   uint64
	slots   []slotRange
}

// slotRange is first to last, both included, as CLUSTER NODES writes it.
type slotRange struct{ first, last int }

func (m member) is(flag string) bool { return slices.Contains(m.flags, flag) }

func (m member) owns(slot int) bool {
	return slices.ContainsFunc(m.slots, func(r slotRange) bool { return r.first <= slot && slot <= r.last })
}

// view asks n for its picture of the cluster.
func (n *Node) view(ctx context.Context) ([]member, error) {
	reply, err := n.client.do(ctx, "CLUSTER", "NODES")
	if err != nil {
		return nil, err
	}
	var members []member
	for line := range strings.Lines(reply.Text) {
		m, err := parseMember(line)
		if err != nil {
			return nil, fmt.Errorf("redistest: %s: CLUSTER NODES: %w", n.Addr, err)
		}
		members = append(members, m)
	}
	return members, nil
}

// parseMember reads "<id> <address> <flags> <primary> <ping> <pong> <epoch> <link> <slot> …", where a slot is "5", "5-9", or
// "[5->-<id>]" and "[5-<-<id>]" while it migrates.
func parseMember(line string) (member, error) {
	fields := strings.Fields(line)
	if len(fields) < 8 {
		return member{}, fmt.Errorf("short line %q", line)
	}
	m := member{id: fields[0], flags: strings.Split(fields[2], ","), primary: fields[3]}
	var err error
	if m.epoch, err = strconv.ParseUint(fields[6], 10, 64); err != nil {
		return member{}, fmt.Errorf("line %q: %w", line, err)
	}
	for _, field := range fields[8:] {
		if strings.HasPrefix(field, "[") {
			continue
		}
		first, last, isRange := strings.Cut(field, "-")
		if !isRange {
			last = first
		}
		var r slotRange
		r.first, err = strconv.Atoi(first)
		if err == nil {
			r.last, err = strconv.Atoi(last)
		}
		if err != nil {
			return member{}, fmt.Errorf("line %q: %w", line, err)
		}
		m.slots = append(m.slots, r)
	}
	return m, nil
}
