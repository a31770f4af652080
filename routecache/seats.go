package routecache

import "fmt"

// checkSeats returns nil if that many seats can be filled and named.
func checkSeats(shards, seats int) error {
	fail := func(reason string) error { return &SeatsError{Shards: shards, Seats: seats, Reason: reason} }
	switch {
	case shards < 1:
		return fail("no primary owns a slot")
	case seats < 1:
		return fail("there must be one at least")
	case seats > MaxAnchors/shards:
		return fail(fmt.Sprintf("more than %d anchors", MaxAnchors))
	}
	return nil
}

// SeatsError reports a walk that was not begun: there are no seats to fill, or too many.
type SeatsError struct {
	Shards int // primaries that own slots, or ranges
	Seats  int // seats asked for each
	Reason string
}

func (e *SeatsError) Error() string {
	return fmt.Sprintf("routecache: %d seats for each of %d primaries: %s", e.Seats, e.Shards, e.Reason)
}
