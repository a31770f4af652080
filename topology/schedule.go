package topology

import (
	"math/rand/v2"
	"time"
)

// maxBackoff is how many times the least interval the interval may grow to. During a failover there is always a reason for
// another refresh and the interval is the longest; a node that died says no MOVED, so this is how long the client may take to
// see its successor.
const maxBackoff = 4

// failedBackoff is how many times the least interval a periodic refresh waits after a failed one.
const failedBackoff = 8

// schedule says when the next refresh may begin. Thousands of clients of one cluster see the same event at once, and
// answering CLUSTER SHARDS is dear for a large cluster, so the interval has jitter, and applies after successes too
// (https://github.com/valkey-io/valkey-go/issues/140). The Tracker's lock guards it.
type schedule struct {
	min     time.Duration
	factor  int           // of min; 0 before the first refresh
	gap     time.Duration // between the end of the last refresh and the next, jitter included
	last    time.Time     // when the last refresh ended; zero before the first
	failed  bool          // whether it failed
	delayed bool          // whether the next one has had to wait
}

// wait returns how long the next refresh has to wait, or ≤ 0.
func (s *schedule) wait(now time.Time) time.Duration {
	if s.last.IsZero() {
		return 0
	}
	d := s.gap - now.Sub(s.last)
	if d > 0 {
		s.delayed = true
	}
	return d
}

// ended notes the end of a refresh. The interval grows while refreshes queue, and is the least one again after a pause.
func (s *schedule) ended(now time.Time, err error) {
	switch {
	case !s.delayed:
		s.factor = 1
	case s.factor < maxBackoff:
		s.factor *= 2
	}
	s.delayed = false
	s.failed = err != nil
	s.last = now
	s.gap = jittered(s.min*time.Duration(s.factor), 0.25)
}

// idle returns how long from now the periodic refresh is due, or ≤ 0. A failed refresh is repeated after
// failedBackoff, if that is less than the period.
func (s *schedule) idle(now time.Time, period time.Duration) time.Duration {
	if s.last.IsZero() {
		return 0
	}
	if s.failed {
		period = min(period, s.min*failedBackoff)
	}
	return period - now.Sub(s.last)
}

// jittered returns d, more or less by up to the given part of it.
func jittered(d time.Duration, part float64) time.Duration {
	return d + time.Duration((2*rand.Float64()-1)*part*float64(d))
}
