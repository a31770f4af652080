package topology

import "time"

// demand returns the next flight, and sees to it that somebody makes it. The caller holds the lock.
func (t *Tracker) demand() *flight {
	if t.next == nil {
		t.next = &flight{done: make(chan struct{})}
	}
	if !t.working {
		t.working = true
		t.running.Add(1)
		go t.work()
	}
	return t.next
}

// work makes refreshes until none is demanded.
func (t *Tracker) work() {
	defer t.running.Done()
	for t.begin() {
		err := t.refresh()
		t.deliver() // before the waiters go on
		t.mu.Lock()
		f := t.flight
		t.flight = nil
		f.err = err
		t.schedule.ended(time.Now(), err)
		close(f.done)
		t.mu.Unlock()
	}
}

// begin waits until the next refresh may start and makes it the current one. It returns false when there is none, or
// when the tracker is closed.
func (t *Tracker) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.next != nil && !t.closed {
		wait := t.schedule.wait(time.Now())
		if wait <= 0 {
			t.flight, t.next = t.next, nil
			return true
		}
		t.mu.Unlock()
		t.sleep(wait)
		t.mu.Lock()
	}
	t.working = false
	if t.next != nil {
		t.next.err = ErrClosed
		close(t.next.done)
		t.next = nil
	}
	return false
}

// sleep waits, but not beyond Close.
func (t *Tracker) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.ctx.Done():
	}
}

// Start begins to refresh periodically. Further calls do nothing.
func (t *Tracker) Start() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || t.started || t.cfg.Period < 0 {
		return
	}
	t.started = true
	t.running.Add(1)
	go t.tick()
}

// tick demands a refresh whenever the last one was a period ago, or a shorter time if it failed.
func (t *Tracker) tick() {
	defer t.running.Done()
	period := jittered(t.cfg.Period, 0.1)
	for {
		t.mu.Lock()
		if t.closed {
			t.mu.Unlock()
			return
		}
		f := t.flight
		if f == nil {
			f = t.next
		}
		wait := t.schedule.idle(time.Now(), period)
		if f == nil && wait <= 0 {
			f = t.demand()
			period = jittered(t.cfg.Period, 0.1)
		}
		t.mu.Unlock()
		if f == nil {
			t.sleep(wait)
			continue
		}
		select {
		case <-f.done:
		case <-t.ctx.Done():
		}
	}
}
