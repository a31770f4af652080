package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/routecache"
)

// dial lets an evening go by once and asks a cache of each resolution.
type dial struct {
	from, to, couriers int
	ttl                time.Duration
}

func newResolution() *dial { return &dial{} }

func (x *dial) about() string {
	return "the resolution as a dial: hits over an evening against the error of cached estimates (no server)"
}

func (x *dial) levers(f *flag.FlagSet) {
	f.IntVar(&x.from, "from", 6, "coarsest H3 resolution, 1 to 15")
	f.IntVar(&x.to, "to", 12, "finest H3 resolution, 1 to 15")
	f.IntVar(&x.couriers, "couriers", 300, "couriers on duty, 10 to 5000; as many orders an hour at the peak")
	f.DurationVar(&x.ttl, "ttl", 30*time.Minute, "time to live of an estimate, on the evening's clock, 1m to 24h")
}

func (x *dial) check() error {
	if x.ttl < time.Minute || x.ttl > 24*time.Hour {
		return fmt.Errorf("-ttl %v is not within 1m and 24h", x.ttl)
	}
	return firstError(within("from", x.from, 1, 15), within("to", x.to, x.from, 15), within("couriers", x.couriers, 10, 5000))
}

// dialResult is the dial as a curve.
type dialResult struct {
	Trips    int           `json:"trips"` // asked over the evening
	Couriers int           `json:"couriers"`
	TTL      string        `json:"ttl"`
	Settings []dialSetting `json:"settings"`
}

// dialSetting is one resolution, or raw coordinates. Errors are those of the hits against what the routing engine would have
// said at that moment, in seconds and in per cent of it; a trip of under half a minute counts as one of half a minute there.
type dialSetting struct {
	Name        string  `json:"name"`
	Resolution  int     `json:"resolution"` // -1 = raw coordinates
	HitRate     float64 `json:"hit_rate"`   // of 1
	Keys        int     `json:"keys"`       // distinct, over the evening
	MeanSeconds float64 `json:"mean_error_s"`
	P95Seconds  float64 `json:"p95_error_s"`
	MeanPercent float64 `json:"mean_error_percent"`
	P95Percent  float64 `json:"p95_error_percent"`
}

func (s *dialSetting) raw() bool { return s.Resolution < 0 }

func (x *dial) run(ctx context.Context, l *lab) (result, error) {
	evening, err := workload.New(workload.Config{Seed: l.seed, Couriers: x.couriers, OrdersPerHour: float64(x.couriers)})
	if err != nil {
		return nil, err
	}
	engine := evening.Engine()
	raw := newShelf[workload.Trip](x.ttl)
	var shelves []*shelf[routecache.Pair]
	var snappers []*workload.Snapper
	for r := x.from; r <= x.to; r++ {
		shelves, snappers = append(shelves, newShelf[routecache.Pair](x.ttl)), append(snappers, workload.NewSnapper(r))
	}
	res := &dialResult{Couriers: x.couriers, TTL: plain(x.ttl)}
	var trips []workload.Trip
	hour := time.Duration(0)
	for evening.Next() {
		if h := evening.At().Truncate(time.Hour); h > hour {
			hour = h
			l.say("resolution: it is %s in the evening", clock(h))
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		trips = evening.AppendTrips(trips[:0])
		res.Trips += len(trips)
		for _, t := range trips {
			truth := engine.Estimate(t.Origin, t.Dest, evening.At()).Seconds
			raw.ask(t, truth, evening.At())
			for i, s := range snappers {
				pair, err := s.Pair(t)
				if err != nil {
					return nil, err
				}
				shelves[i].ask(pair, truth, evening.At())
			}
		}
	}
	if res.Trips == 0 {
		return nil, fmt.Errorf("nobody asked anything all evening")
	}
	res.Settings = append(res.Settings, raw.setting("raw coordinates", -1))
	for i, s := range shelves {
		res.Settings = append(res.Settings, s.setting(fmt.Sprint("resolution ", x.from+i), x.from+i))
	}
	return res, nil
}

// plain writes a duration without the units that are zero.
func plain(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(s, zero) {
			s = s[:len(s)-2]
		}
	}
	return s
}

// A shelf is a cache on the evening's clock.
type shelf[K comparable] struct {
	ttl     time.Duration
	entries map[K]entry
	asked   int
	seconds []float32 // errors of the hits
	percent []float32
}

type entry struct {
	seconds float32
	until   time.Duration
}

func newShelf[K comparable](ttl time.Duration) *shelf[K] {
	return &shelf[K]{ttl: ttl, entries: map[K]entry{}}
}

// shortTrip is what a shorter trip counts as where an error is given in per cent of it.
const shortTrip = 30

// ask looks k up, whose true estimate is given, and stores that after a miss.
func (s *shelf[K]) ask(k K, truth float64, at time.Duration) {
	s.asked++
	e, ok := s.entries[k]
	if !ok || at >= e.until {
		s.entries[k] = entry{float32(truth), at + s.ttl}
		return
	}
	off := math.Abs(float64(e.seconds) - truth)
	s.seconds = append(s.seconds, float32(off))
	s.percent = append(s.percent, float32(off/max(truth, shortTrip)*100))
}

func (s *shelf[K]) setting(name string, resolution int) dialSetting {
	return dialSetting{
		Name: name, Resolution: resolution, HitRate: float64(len(s.seconds)) / float64(s.asked), Keys: len(s.entries),
		MeanSeconds: mean(s.seconds), P95Seconds: float64(quantile(s.seconds, 0.95)),
		MeanPercent: mean(s.percent), P95Percent: float64(quantile(s.percent, 0.95)),
	}
}

// mean is 0 of nothing.
func mean(values []float32) (m float64) {
	for _, v := range values {
		m += float64(v) / float64(len(values))
	}
	return m
}
