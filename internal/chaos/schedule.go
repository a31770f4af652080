package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// A fault is one way to break the cluster. inject does it, repairs it where the cluster does not do so by itself, and calls
// recovery at each point from which on the cache has to answer fully again.
type fault struct {
	name   string
	inject func(ctx context.Context, r *chaosRun, rng *rand.Rand) error
}

// allFaults are the faults by name.
var allFaults = []fault{
	{"kill", kill},
	{"freeze", freezeThaw},
	{"failover", failover},
	{"migrate", migrate},
	{"script_flush", scriptFlush},
	{"client_kill", clientKill},
	{"reset", reset},
	{"cancel", cancelMany},
	{"restart", restart},
}

func faultNames() (names []string) {
	for _, f := range allFaults {
		names = append(names, f.name)
	}
	return names
}

// pickFaults returns the faults of a list of names, all for an empty one.
func pickFaults(names string) ([]fault, error) {
	if names == "" {
		return allFaults, nil
	}
	var picked []fault
next:
	for name := range strings.SplitSeq(names, ",") {
		for _, f := range allFaults {
			if f.name == strings.TrimSpace(name) {
				picked = append(picked, f)
				continue next
			}
		}
		return nil, fmt.Errorf("there is no fault %q", name)
	}
	return picked, nil
}

// A schedule is a sequence of faults in rounds: each fault once per round, in random order.
type schedule struct {
	rng    *rand.Rand
	faults []fault
	round  []fault // what is left of it
}

func newSchedule(seed uint64, faults []fault) *schedule {
	return &schedule{rng: rand.New(rand.NewPCG(seed, 2)), faults: faults}
}

// next returns the next fault, and the random numbers for its details.
func (s *schedule) next() (fault, *rand.Rand) {
	if len(s.round) == 0 {
		s.round = append(s.round, s.faults...)
		s.rng.Shuffle(len(s.round), func(i, k int) { s.round[i], s.round[k] = s.round[k], s.round[i] })
	}
	f := s.round[0]
	s.round = s.round[1:]
	return f, rand.New(rand.NewPCG(s.rng.Uint64(), s.rng.Uint64()))
}

// upTo returns a random duration below d.
func upTo(rng *rand.Rand, d time.Duration) time.Duration { return time.Duration(rng.Int64N(int64(d))) }
