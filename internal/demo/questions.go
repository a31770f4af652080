package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/routecache"
)

// resolution of the cells: about 350 m across.
const resolution = 9

// questions is what the demo writes and asks.
type questions struct {
	// written are the pairs in the order in which the dispatcher asked about them, estimates what the routing engine said
	// when each distinct pair came first.
	written   []routecache.Pair
	estimates []routecache.Estimate
	distinct  int // of the written

	// read are the written pairs and others that nobody wrote, mixed. want[i] is the estimate of read[i], known[i] whether
	// it was written.
	read  []routecache.Pair
	want  []routecache.Estimate
	known []bool

	until time.Duration // time of day of the last question that is written
}

// evening returns the configuration of an evening in which n distinct pairs come up soon after six.
func evening(seed uint64, n int) workload.Config {
	cfg := workload.Config{Seed: seed, Couriers: 150, Restaurants: 120, OrdersPerHour: 300, Start: 18 * time.Hour}
	if n > 5000 {
		cfg.Couriers, cfg.Restaurants, cfg.OrdersPerHour, cfg.Radius = 1500, 800, 2500, 12_000
	}
	return cfg
}

// ask lets an evening go by until the dispatcher has asked about n distinct pairs of cells, and then on until there are a
// tenth as many others, which are not written.
func ask(cfg workload.Config, n int) (*questions, error) {
	evening, err := workload.New(cfg)
	if err != nil {
		return nil, err
	}
	q := &questions{}
	engine, snapper := evening.Engine(), workload.NewSnapper(resolution)
	estimates := map[routecache.Pair]routecache.Estimate{}
	others := map[routecache.Pair]bool{}
	var unwritten []routecache.Pair
	var trips []workload.Trip
	for len(unwritten) < n/10 {
		if !evening.Next() {
			return nil, fmt.Errorf("the evening is over after %d of %d pairs", len(estimates), n)
		}
		trips = evening.AppendTrips(trips[:0])
		for _, trip := range trips {
			pair, err := snapper.Pair(trip)
			if err != nil {
				return nil, err
			}
			estimate, asked := estimates[pair]
			if len(estimates) == n {
				if !asked && !others[pair] && len(unwritten) < n/10 {
					others[pair] = true
					unwritten = append(unwritten, pair)
				}
				continue
			}
			if !asked {
				estimate = engine.Estimate(trip.Origin, trip.Dest, evening.At())
				estimates[pair] = estimate
			}
			q.written = append(q.written, pair)
			q.estimates = append(q.estimates, estimate)
			q.until = evening.At()
		}
	}
	q.distinct = len(estimates)
	q.mix(cfg.Seed, unwritten)
	return q, nil
}

// mix fills what is read, in an order that has nothing to do with that of the write.
func (q *questions) mix(seed uint64, unwritten []routecache.Pair) {
	q.read = append(append(q.read, q.written...), unwritten...)
	q.want = append(append(q.want, q.estimates...), make([]routecache.Estimate, len(unwritten))...)
	q.known = make([]bool, len(q.read))
	for i := range q.written {
		q.known[i] = true
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(q.read), func(i, j int) {
		q.read[i], q.read[j] = q.read[j], q.read[i]
		q.want[i], q.want[j] = q.want[j], q.want[i]
		q.known[i], q.known[j] = q.known[j], q.known[i]
	})
}

// verdict counts the answers of a read.
type verdict struct {
	hits, misses, failed int
	wrong                int // a hit with another estimate or of a pair nobody wrote, a miss of a pair that was written
}

// check compares answers with what was written.
func (q *questions) check(answers []routecache.Answer) (v verdict) {
	for i, a := range answers {
		switch a.State {
		case routecache.Hit:
			v.hits++
			if !q.known[i] || a.Estimate != q.want[i] {
				v.wrong++
			}
		case routecache.Miss:
			v.misses++
			if q.known[i] {
				v.wrong++
			}
		default:
			v.failed++
		}
	}
	return v
}
