package workload

import (
	"math"
	"time"
)

// speeds are the average speeds of a moment by class of road, in metres per second, stops included.
type speeds struct{ arterial, local, bridge, access float64 }

// bend is what a road is longer than the straight lines of the plan: kerbs, curves, the way round a square.
const bend = 1.03

// speedsAt returns the speeds at a time of day. The evening rush is worst on the arterials and the bridges, dinner time
// everywhere a little.
func speedsAt(at time.Duration) speeds {
	rush := bump(at, 17*time.Hour+30*time.Minute, 45*time.Minute)
	dinner := bump(at, dinnerPeak, dinnerWidth)
	return speeds{
		arterial: 11 / (1 + 0.7*rush + 0.2*dinner),
		local:    6 / (1 + 0.25*rush + 0.25*dinner),
		bridge:   9 / (1 + rush + 0.3*dinner),
		access:   1.5,
	}
}

const (
	dinnerPeak  = 19*time.Hour + 15*time.Minute
	dinnerWidth = 75 * time.Minute
)

// bump is a bell curve over the time of day: 1 at peak, 1/e a width away from it.
func bump(at, peak, width time.Duration) float64 {
	x := float64(at%(24*time.Hour)-peak) / float64(width)
	return math.Exp(-x * x)
}
