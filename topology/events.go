package topology

// events are changes of the map that OnChange has not been told of yet. They are delivered in order, one at a time, and
// without the lock. The Tracker's lock guards it.
type events struct {
	queue      []change
	delivering bool
}

type change struct{ old, new *Map }

// changed queues the change if it is one: see Config.OnChange. The caller holds the lock.
func (t *Tracker) changed(old, new *Map) {
	if t.cfg.OnChange == nil || old.Equal(new) && old.sameAddrs(new) {
		return
	}
	t.events.queue = append(t.events.queue, change{old, new})
}

// deliver calls OnChange for what is queued, unless another goroutine is doing that already.
func (t *Tracker) deliver() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.events.delivering || t.closed {
		return
	}
	t.running.Add(1) // Close waits for the hook, whoever calls it
	defer t.running.Done()
	t.events.delivering = true
	for len(t.events.queue) > 0 && !t.closed {
		c := t.events.queue[0]
		t.events.queue = t.events.queue[1:]
		t.mu.Unlock()
		t.cfg.OnChange(c.old, c.new)
		t.mu.Lock()
	}
	t.events.delivering = false
}
