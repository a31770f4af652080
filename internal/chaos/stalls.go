package main

import (
	"sync"
	"time"
)

// stalls measures how long this process is not let run, on a machine that it shares with the servers and others: what takes
// longer than it should may have taken that long for no other reason.
type stalls struct {
	stop chan struct{}
	done sync.WaitGroup
	max  time.Duration // valid after end
}

const tick = 10 * time.Millisecond

func (s *stalls) begin() {
	s.stop = make(chan struct{})
	s.done.Go(func() {
		last := time.Now()
		for {
			select {
			case <-time.After(tick):
			case <-s.stop:
				return
			}
			now := time.Now()
			s.max = max(s.max, now.Sub(last)-tick)
			last = now
		}
	})
}

func (s *stalls) end() time.Duration {
	close(s.stop)
	s.done.Wait()
	return s.max
}
