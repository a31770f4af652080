package batch

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/slotcast/slotcast/resp"
)

// ErrClosed is returned by calls on a closed Client.
var ErrClosed = errors.New("batch: client is closed")

// ErrRedirects is the cause of items whose redirects did not end within Config.MaxRedirects. It comes wrapped, with the
// last redirect in the text.
var ErrRedirects = errors.New("too many redirects")

// ErrShape is the cause of items whose reply did not have the shape their command calls for: the stream cannot be
// trusted any more and its connection was dropped. It comes wrapped.
var ErrShape = errors.New("reply of the wrong shape")

// An Error reports the items of a batch that nobody could answer. The answers of all other items stand.
type Error struct {
	// Failed is how many of the Total items failed.
	Failed, Total int

	// Causes holds the first cause of each kind per node, in the order in which they came up. Error replies are of one
	// kind when their first word is the same; all else is of one kind.
	Causes []NodeError

	items []failedItem // by index
}

// A NodeError is why items that belong to one node failed. Unwrap gives the cause.
type NodeError struct {
	Addr   string // host:port; empty when no node serves the slot
	Slot   uint16 // the slot of the first item that failed so
	Failed int    // how many items
	Err    error  // the first cause
}

type failedItem struct{ index, cause int32 }

func (e *NodeError) Error() string {
	where := "node " + e.Addr
	if e.Addr == "" {
		where = "no node"
	}
	return fmt.Sprintf("%s, slot %d: %v", where, e.Slot, e.Err)
}

func (e *NodeError) Unwrap() error { return e.Err }

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "batch: %d of %d items failed", e.Failed, e.Total)
	for i := range e.Causes {
		fmt.Fprintf(&b, "; %d: %v", e.Causes[i].Failed, &e.Causes[i])
	}
	return b.String()
}

// Unwrap gives the causes, so that errors.Is and errors.As look into each.
func (e *Error) Unwrap() []error {
	errs := make([]error, len(e.Causes))
	for i := range e.Causes {
		errs[i] = &e.Causes[i]
	}
	return errs
}

// Cause is why item i failed, or nil if it did not fail: the one of Causes that it was counted under.
func (e *Error) Cause(i int) error {
	at, found := slices.BinarySearchFunc(e.items, int32(i), func(item failedItem, i int32) int {
		return int(item.index) - int(i)
	})
	if !found {
		return nil
	}
	return &e.Causes[e.items[at].cause]
}

// Items calls yield with the index and the cause of each failed item, by index.
func (e *Error) Items(yield func(i int, cause error) bool) {
	for _, item := range e.items {
		if !yield(int(item.index), &e.Causes[item.cause]) {
			return
		}
	}
}

// failures collects what becomes an Error. The zero value has none.
type failures struct {
	causes []NodeError
	items  []failedItem
}

func (f *failures) add(indexes []int32, addr string, slot uint16, err error) {
	if len(indexes) == 0 {
		return
	}
	kind := kindOf(err)
	at := slices.IndexFunc(f.causes, func(c NodeError) bool { return c.Addr == addr && kindOf(c.Err) == kind })
	if at < 0 {
		at = len(f.causes)
		f.causes = append(f.causes, NodeError{Addr: addr, Slot: slot, Err: err})
	}
	f.causes[at].Failed += len(indexes)
	for _, i := range indexes {
		f.items = append(f.items, failedItem{index: i, cause: int32(at)})
	}
}

// kindOf is the first word of an error reply, and empty for other errors.
func kindOf(err error) string {
	var said *resp.Error
	if errors.As(err, &said) {
		return said.Code()
	}
	return ""
}

// err takes the collected failures: nil if there are none.
func (f *failures) err(total int) error {
	if len(f.items) == 0 {
		return nil
	}
	slices.SortFunc(f.items, func(a, b failedItem) int { return int(a.index) - int(b.index) })
	e := &Error{Failed: len(f.items), Total: total, Causes: f.causes, items: f.items}
	*f = failures{}
	return e
}
