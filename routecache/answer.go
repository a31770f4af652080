package routecache

import (
	"errors"
	"fmt"

	"github.com/slotcast/slotcast/batch"
)

// State says what is known about a pair after a call of Get.
type State uint8

const (
	Failed State = iota // nobody could say
	Miss                // the owner of the key's slot said that there is no such key, or its value is corrupt
	Hit                 // the estimate is the one that was stored
)

// String returns the name of the state in lower case.
func (s State) String() string {
	switch s {
	case Failed:
		return "failed"
	case Miss:
		return "miss"
	case Hit:
		return "hit"
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// Answer is what the cache says about one pair. The estimate is zero unless State is Hit.
type Answer struct {
	Estimate
	State State
}

// LengthError reports slices of a call that must be of one length and are not.
type LengthError struct {
	Pairs int    // pairs given
	Other int    // elements of the other slice
	Name  string // of the other slice
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("routecache: %d %s for %d pairs", e.Other, e.Name, e.Pairs)
}

// PartialError reports the pairs of a call that nobody could answer, or store. What was done for the others stands.
// It wraps the *batch.Error, with the causes by node, and through it the causes.
type PartialError struct {
	Failed, Total int // pairs, duplicates counted each

	cause *batch.Error
	item  []int32 // by pair: its item of the batch
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("routecache: %d of %d pairs failed: %v", e.Failed, e.Total, e.cause)
}

// Unwrap returns the *batch.Error.
func (e *PartialError) Unwrap() error { return e.cause }

// Cause is why pair i failed, or nil if it did not fail.
func (e *PartialError) Cause(i int) error { return e.cause.Cause(int(e.item[i])) }

// partial makes the error of a batch one of the pairs it was made of. Other errors stay what they are.
func (q *query) partial(err error) error {
	if err == nil {
		return nil // before failed is declared, which allocates
	}
	var failed *batch.Error
	if !errors.As(err, &failed) {
		return err
	}
	e := &PartialError{Total: len(q.pairs), cause: failed, item: make([]int32, len(q.pairs))}
	for k, i := range q.first {
		e.item[i] = int32(k)
	}
	for _, d := range q.again {
		e.item[d.pair] = d.item
	}
	for i := range e.item {
		if e.Cause(i) != nil {
			e.Failed++
		}
	}
	return e
}
