package workload

import (
	"math"
	"math/rand/v2"
	"time"
)

// An Order is a meal to be carried from a restaurant to a customer.
type Order struct {
	Placed     time.Duration // time of day
	Restaurant LatLng
	Customer   LatLng

	from, to point
}

// hold is how long an order is looked at before a courier is sent: a dispatcher that waits sees better matches. Until
// then each pass asks about it again.
const hold = 90 * time.Second

// demand returns the mean orders per hour at a time of day when it is peak at dinner time.
func demand(at time.Duration, peak float64) float64 {
	return peak * (0.22 + 0.78*bump(at, dinnerPeak, dinnerWidth))
}

// poisson draws the number of events of a Poisson process with the given mean. It adds up draws with small means, for
// which Knuth's product of uniform numbers does not underflow.
func poisson(r *rand.Rand, mean float64) int {
	n := 0
	for mean > 0 {
		part := min(mean, 64)
		mean -= part
		limit, product := math.Exp(-part), r.Float64()
		for product > limit {
			n++
			product *= r.Float64()
		}
	}
	return n
}
