package workload

import (
	"math"
	"math/rand/v2"
	"sort"
)

// Where people eat and live, in the plane of the city.

// downtown is the busiest quarter; half of the restaurants are there. The other quarters share most of the rest. Numbers are
// parts of the city's radius: a bigger city is the same city drawn larger.
var (
	downtown = quarter{x: 0.03, y: -0.02, spread: 0.1}
	quarters = []quarter{
		{x: -0.45, y: -0.20, spread: 0.075},
		{x: 0.40, y: -0.35, spread: 0.075},
		{x: 0.15, y: 0.50, spread: 0.085},
		{x: -0.35, y: 0.45, spread: 0.065},
	}
)

// quarter is a place with many restaurants: its centre and the standard deviation of the distances from it.
type quarter struct{ x, y, spread float64 }

func (q quarter) sample(r *rand.Rand, radius float64) point {
	return point{(q.x + q.spread*r.NormFloat64()) * radius, (q.y + q.spread*r.NormFloat64()) * radius}
}

// address moves p to the street nearest to it.
func address(p point) point { return spotAt(p).point() }

// within reports whether p is at least a block inside the city.
func within(p point, radius float64) bool { return math.Hypot(p.x, p.y) <= radius-block }

// sampleUntil draws points until one has an address in the city.
func sampleUntil(radius float64, draw func() point) point {
	for {
		if p := address(draw()); within(p, radius) {
			return p
		}
	}
}

// uniform draws a point of the disc.
func uniform(r *rand.Rand, radius float64) point {
	angle, d := 2*math.Pi*r.Float64(), radius*math.Sqrt(r.Float64())
	return point{d * math.Cos(angle), d * math.Sin(angle)}
}

// restaurantAddress draws where a restaurant is: half downtown, a third in the other quarters, the rest anywhere.
func restaurantAddress(r *rand.Rand, radius float64) point {
	return sampleUntil(radius, func() point {
		switch x := r.Float64(); {
		case x < 0.5:
			return downtown.sample(r, radius)
		case x < 0.83:
			return quarters[r.IntN(len(quarters))].sample(r, radius)
		default:
			return uniform(r, radius)
		}
	})
}

// customerAddress draws where an order from a restaurant goes: mostly within two kilometres, never beyond four.
func customerAddress(r *rand.Rand, restaurant point, radius float64) point {
	return sampleUntil(radius, func() point {
		angle, d := 2*math.Pi*r.Float64(), min(300+1000*r.ExpFloat64(), 4000)
		return point{restaurant.x + d*math.Cos(angle), restaurant.y + d*math.Sin(angle)}
	})
}

// popularity draws restaurants by their share of the orders: a few have many, most have few (a Zipf law).
type popularity struct{ sums []float64 }

func newPopularity(n int) popularity {
	sums := make([]float64, n)
	total := 0.0
	for i := range sums {
		total += 1 / float64(i+10)
		sums[i] = total
	}
	return popularity{sums}
}

func (p popularity) sample(r *rand.Rand) int {
	last := len(p.sums) - 1
	return min(sort.SearchFloat64s(p.sums, r.Float64()*p.sums[last]), last)
}
