package workload

import (
	"context"
	"time"
)

// An Engine is a synthetic routing engine: driving time and distance along the streets of a city. An answer depends on
// the two points and the time of day and on nothing else, so it can be checked later without being kept. Any number of
// goroutines may use an Engine.
type Engine struct {
	City *City
	// Delay is how long Route takes, which is what a real engine is slow at; default none.
	Delay time.Duration
}

// Estimate returns the driving time in seconds and the distance in metres from origin to dest for a car that starts at
// the given time of day, both rounded to a tenth, finite and not negative. The distance is never less than the great
// circle's, but for the rounding. The way back is usually another one: side streets are one-way.
//
// Points may be anywhere on the globe; far outside the city its streets simply go on.
func (e *Engine) Estimate(origin, dest LatLng, at time.Duration) Estimate {
	if origin == dest {
		return Estimate{}
	}
	v := speedsAt(at)
	s, t := spotAt(e.City.plane(origin)), spotAt(e.City.plane(dest))
	r := fastest(s, t, v)
	access := s.access + t.access
	// The projection shortens some distances far from the centre; bend outweighs that within 100 km.
	metres := max((r.metres+access)*bend, GreatCircle(origin, dest))
	seconds := (r.seconds + access/v.access) * bend
	return Estimate{Seconds: round(seconds, 10), Metres: round(metres, 10)}
}

// Route is Estimate after Delay. It returns early, with the context's error, if ctx ends first.
func (e *Engine) Route(ctx context.Context, origin, dest LatLng, at time.Duration) (Estimate, error) {
	if e.Delay > 0 {
		timer := time.NewTimer(e.Delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return Estimate{}, ctx.Err()
		}
	}
	return e.Estimate(origin, dest, at), ctx.Err()
}
