package topology

import (
	"errors"
	"fmt"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
)

// decoder turns one reply into shards. A node that cannot be used is left out and noted, for one bad entry must not
// cost the whole view; the slots of a primary that is left out stay unassigned.
type decoder struct {
	from  Asked
	notes []string
}

func (d *decoder) note(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

// usable returns an error when the notes explain why no slot at all could be assigned.
func (d *decoder) usable(shards []Shard) error {
	if len(d.notes) == 0 {
		return nil
	}
	for _, s := range shards {
		if len(s.Slots) > 0 {
			return nil
		}
	}
	return errors.New(d.notes[0])
}

// elements returns the elements of an array or set reply.
func elements(v resp.Value, what string) ([]resp.Value, error) {
	if err := v.Err(); err != nil {
		return nil, err
	}
	if v.Kind != resp.KindArray && v.Kind != resp.KindSet {
		return nil, fmt.Errorf("topology: %s is a %s, not an array", what, v.Kind)
	}
	return v.Elems, nil
}

// slotRange makes a range of the inclusive ends that servers send. Redis 7.0.0, 7.2.0 and some managed ones send them
// as strings (https://github.com/redis/redis/pull/12561).
func slotRange(first, last resp.Value) (Range, error) {
	start, err := first.AsInt()
	if err != nil {
		return Range{}, fmt.Errorf("topology: start of a slot range: %w", err)
	}
	end, err := last.AsInt()
	if err != nil {
		return Range{}, fmt.Errorf("topology: end of a slot range: %w", err)
	}
	if start < 0 || end >= crc16.SlotCount || start > end {
		return Range{}, fmt.Errorf("topology: no slots from %d to %d", start, end)
	}
	return Range{uint16(start), uint16(end) + 1}, nil
}

// portOf returns the port that v holds as a number or a string, or 0 when it is none.
func portOf(v resp.Value) int {
	port, err := v.AsInt()
	if err != nil || port < 0 || port > 65535 {
		return 0
	}
	return int(port)
}

// textOf returns the text of v, or "" for a null and whatever else is no string.
func textOf(v resp.Value) string {
	text, _ := v.AsText()
	return text
}
