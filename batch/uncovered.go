package batch

import (
	"context"
	"time"

	"github.com/slotcast/slotcast/topology"
)

// refreshedWithin is how new the map must be for a slot that it does not cover to be reported at once. After that long
// one batch waits for a refresh before it says so.
const refreshedWithin = time.Second

// A refresh of the topology that groups of uncovered slots wait for.
type refresh struct {
	done   chan error
	cancel context.CancelFunc
}

// uncovered deals with a group whose slot no node serves.
func (o *op) uncovered(gi int32) {
	age := time.Now().UnixNano() - o.c.refreshed.Load()
	if g := &o.groups[gi]; g.refreshed || age < int64(refreshedWithin) {
		o.c.tracker.Trigger()
		o.fail(gi, "", topology.ErrSlotUncovered)
		return
	}
	o.groups[gi].refreshed = true
	o.unserved = append(o.unserved, gi)
	if o.refresh.cancel != nil {
		return
	}
	ctx, cancel := context.WithDeadline(o.ctx, o.deadline)
	done := make(chan error, 1)
	o.refresh.cancel, o.refresh.done = cancel, done
	go func() { done <- o.c.tracker.Refresh(ctx) }()
}

// served opens the groups that waited for the refresh.
func (o *op) served() {
	o.open = append(o.open, o.unserved...)
	o.unserved = o.unserved[:0]
	o.refresh.cancel()
	o.refresh = refresh{}
}

// stop waits for the refresh to notice that nobody waits for it any more.
func (f *refresh) stop() {
	if f.cancel != nil {
		f.cancel()
		<-f.done
		*f = refresh{}
	}
}
