package routecache

import (
	"fmt"

	"github.com/slotcast/slotcast/crc16"
)

const (
	// MaxAnchors is the largest number of anchors: a Table names them in 16 bits.
	MaxAnchors = 1<<16 - 1

	// maxTried bounds a walk, which takes some tenths of a second to get there. A primary with a single slot is met once
	// in 16,384 integers and so can still fill some 240 seats.
	maxTried = 4_000_000

	// unowned is what an owner function says of a slot that belongs to no shard, as topology.NoShard.
	unowned = 0xFFFF
)

// Anchor is an integer that a walk kept.
type Anchor struct {
	N     int    // the integer in the tag
	Slot  uint16 // the slot of the tag
	Shard uint16 // the shard that owns the slot, an index into Anchors.Seats
}

// Anchors is the result of a walk. It depends on the template, the number of seats and the cluster's shape alone, so every
// process that walks the same cluster has the same one. It is not modified once made, and safe for concurrent use.
type Anchors struct {
	List    []Anchor // in the order of the walk, which is that of N
	Seats   []int    // by shard: how many anchors it has; 0 for a shard without slots
	Tried   int      // integers tried: 0 to Tried-1
	Skipped int      // of those, how many met a shard with no seat left, or a slot nobody owns
}

// Integers returns the anchors' integers in the order of the walk.
func (a *Anchors) Integers() []int {
	ns := make([]int, len(a.List))
	for i := range ns {
		ns[i] = a.List[i].N
	}
	return ns
}

// WalkFixed walks as [Walk] does, but over the given number of equal ranges of slots in place of a cluster's primaries, so
// that the anchors never change. Range i begins at slot 16384·i/ranges, rounded up.
func WalkFixed(ranges int, t Template, seats int) (*Anchors, error) {
	if ranges < 1 || ranges > crc16.SlotCount {
		return nil, &SeatsError{Shards: ranges, Seats: seats, Reason: fmt.Sprintf("ranges are not within 1 and %d", crc16.SlotCount)}
	}
	if err := checkSeats(ranges, seats); err != nil {
		return nil, err
	}
	open := make([]int, ranges)
	for i := range open {
		open[i] = seats
	}
	owner := func(slot uint16) uint16 { return uint16(int(slot) * ranges / crc16.SlotCount) }
	a, err := walk(t, open, seats, owner)
	if err != nil {
		err.Primary = fmt.Sprintf("range %d of %d", err.Shard, ranges)
		return nil, err
	}
	return a, nil
}

// walk tries 0, 1, 2, … and keeps each integer whose slot belongs to a shard with an open seat, until no seat is open.
// open has the seats of each shard, seats or 0, and is used up. The error lacks the shard's name.
func walk(t Template, open []int, seats int, owner func(slot uint16) uint16) (*Anchors, *WalkError) {
	left := 0
	for _, n := range open {
		left += n
	}
	a := &Anchors{List: make([]Anchor, 0, left), Seats: make([]int, len(open))}
	for n := 0; left > 0; n++ {
		if n == maxTried {
			return nil, newWalkError(open, seats)
		}
		a.Tried++
		slot := t.Slot(n)
		shard := owner(slot)
		if shard == unowned || open[shard] == 0 {
			a.Skipped++
			continue
		}
		open[shard]--
		left--
		a.Seats[shard]++
		a.List = append(a.List, Anchor{N: n, Slot: slot, Shard: shard})
	}
	return a, nil
}

func newWalkError(open []int, seats int) *WalkError {
	e := &WalkError{Seats: seats, Tried: maxTried}
	for shard, n := range open {
		if n > e.Open {
			e.Shard, e.Open = shard, n
		}
	}
	return e
}

// WalkError reports a walk that met its bound: a primary has so few slots that its seats could not be filled.
type WalkError struct {
	Primary string // the node's address and id, or a range of WalkFixed
	Shard   int    // its number in the map
	Seats   int    // seats it was to have
	Open    int    // seats it still has open
	Tried   int    // integers tried
}

func (e *WalkError) Error() string {
	return fmt.Sprintf("routecache: primary %s owns too few slots: %d of its %d seats are open after %d tags",
		e.Primary, e.Open, e.Seats, e.Tried)
}
