package topology

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Tracker keeps the current map of a cluster. All methods may be called by several goroutines at once; Map never waits.
//
// Refreshes are made one at a time by a goroutine that exists only while there is something to do, with a least interval
// between them, however many callers ask. No lock is held while a node is asked.
//
// Which answers are believed: one that is complete, or at least covers every slot the current map covers, and has a node
// in common with the current map, is taken at once. Anything else needs the consent of others, see verdict in opinion.go.
type Tracker struct {
	cfg     Config
	current atomic.Pointer[Map]
	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	started  bool
	ledger   ledger
	events   events
	suspects suspects
	schedule schedule
	shards   shardsPolicy
	flight   *flight // the refresh under way, or nil
	next     *flight // the one after it, or nil
	working  bool    // whether work runs
}

// flight is one refresh, and what its waiters wait for.
type flight struct {
	done chan struct{} // closed when err is set
	err  error
}

// NewTracker returns a Tracker that does nothing until Refresh or Start is called. Close must be called when it is no
// longer needed.
func NewTracker(cfg Config) *Tracker {
	t := &Tracker{cfg: cfg.withDefaults()}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	t.schedule.min = t.cfg.MinInterval
	return t
}

// Map returns the current map, or nil before the first success.
func (t *Tracker) Map() *Map { return t.current.Load() }

// Refresh returns when the map is newer than the call, or with the error of the refresh that was to make it so. It joins
// a refresh under way unless there is reason for another one after it (a Trigger, Moved or Suspect since it began); else
// it starts one, after the least interval. When ctx ends first, Refresh returns its error and the refresh goes on.
func (t *Tracker) Refresh(ctx context.Context) error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return ErrClosed
	}
	f := t.flight
	if f == nil || t.next != nil {
		f = t.demand()
	}
	t.mu.Unlock()
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Trigger asks for a refresh begun after the call, in the background and after the least interval. It never blocks, and
// any number of calls before that refresh begins ask for one.
func (t *Tracker) Trigger() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.demand()
	}
}

// Moved patches the current map at once, as Map.WithMoved does, and triggers a refresh if that changed anything. The
// moves win over every snapshot asked for before the call or within a second after it, since nodes learn of a change one
// after the other. The addresses are those to dial, as Redirect.Addr returns them; moves is not retained.
func (t *Tracker) Moved(moves []Move) {
	t.mu.Lock()
	defer t.deliver()
	defer t.mu.Unlock()
	if t.closed || len(moves) == 0 {
		return
	}
	t.ledger.record(moves, time.Now())
	old := t.current.Load()
	if old == nil {
		t.demand()
		return
	}
	if patched := old.WithMoved(moves); patched != old {
		t.current.Store(patched)
		t.changed(old, patched)
		t.demand()
	}
}

// Suspect says that the node at addr could not be reached, or does not know the cluster. It is asked after all others
// until it answers again, and a refresh is triggered.
func (t *Tracker) Suspect(addr string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	t.suspects.add(addr, time.Now())
	t.demand()
}

// Close ends what runs in the background and waits for it, so Ask and the hooks are not called any more when it returns.
// It must not be called from a hook. Callers of Refresh get ErrClosed. The map stays.
func (t *Tracker) Close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.cancel()
	t.running.Wait()
}
