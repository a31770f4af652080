package workload

import (
	"fmt"
	"math"

	"github.com/slotcast/slotcast/routecache"
)

// A Snapper turns trips into pairs of cells. It remembers the cell of each point, as a restaurant is asked about over and
// over and a courier once per order, and so is for one evening and one goroutine.
type Snapper struct {
	resolution int
	cells      map[LatLng]routecache.Cell
}

// NewSnapper returns a Snapper for one resolution of H3.
func NewSnapper(resolution int) *Snapper {
	return &Snapper{resolution: resolution, cells: map[LatLng]routecache.Cell{}}
}

// Pair returns the cells of a trip's two ends. Its errors are those of routecache.Snap.
func (s *Snapper) Pair(t Trip) (routecache.Pair, error) {
	origin, err := s.cell(t.Origin)
	if err != nil {
		return routecache.Pair{}, err
	}
	dest, err := s.cell(t.Dest)
	return routecache.Pair{Origin: origin, Dest: dest}, err
}

func (s *Snapper) cell(p LatLng) (routecache.Cell, error) {
	if c, ok := s.cells[p]; ok {
		return c, nil
	}
	c, err := routecache.Snap(p, s.resolution)
	if err == nil {
		s.cells[p] = c
	}
	return c, err
}

// CellPairs returns n distinct pairs of cells at a resolution of H3 in the order in which an evening of the given seed asks
// about them first, and for each the estimate of that first trip. The city is as large as it has to be for n pairs not to
// exhaust it. It costs a few microseconds a pair. A resolution so coarse that no city has n pairs is an error.
func CellPairs(n, resolution int, seed uint64) ([]routecache.Pair, []Estimate, error) {
	root := math.Sqrt(float64(n))
	couriers := max(100, int(2*root))
	evening, err := New(Config{
		Seed:          seed,
		Couriers:      couriers,
		Restaurants:   max(100, int(root)),
		OrdersPerHour: 2.4 * float64(couriers), // as many as they can carry
		Radius:        radiusFor(n, resolution),
		Reach:         Everybody,
	})
	if err != nil {
		return nil, nil, err
	}
	c := collector{
		evening: evening,
		engine:  evening.Engine(),
		snapper: NewSnapper(resolution),
		seen:    make(map[routecache.Pair]struct{}, n),
		pairs:   make([]routecache.Pair, 0, n),
		answers: make([]Estimate, 0, n),
	}
	for len(c.pairs) < n && evening.Next() {
		if err := c.collect(n); err != nil {
			return nil, nil, err
		}
	}
	if len(c.pairs) < n {
		return nil, nil, fmt.Errorf("workload: an evening at resolution %d has %d pairs of cells, not %d", resolution, len(c.pairs), n)
	}
	return c.pairs, c.answers, nil
}

// collector gathers the distinct pairs of an evening.
type collector struct {
	evening *Evening
	engine  *Engine
	snapper *Snapper
	trips   []Trip
	seen    map[routecache.Pair]struct{}
	pairs   []routecache.Pair
	answers []Estimate
}

// collect adds what is asked about the orders of the present pass that are new, up to n pairs in all.
func (c *collector) collect(n int) error {
	c.trips = c.trips[:0]
	for i := range c.evening.orders {
		if o := &c.evening.orders[i]; o.Placed == c.evening.at {
			c.trips = c.evening.appendTripsOf(c.trips, o)
		}
	}
	for _, trip := range c.trips {
		if len(c.pairs) == n {
			return nil
		}
		pair, err := c.snapper.Pair(trip)
		if err != nil {
			return err
		}
		if _, ok := c.seen[pair]; ok {
			continue
		}
		c.seen[pair] = struct{}{}
		c.pairs = append(c.pairs, pair)
		c.answers = append(c.answers, c.engine.Estimate(trip.Origin, trip.Dest, c.evening.At()))
	}
	return nil
}

// radiusFor returns the radius in metres of a city with so many cells at the resolution that n pairs are few among all
// pairs of them; the least is that of the default city.
func radiusFor(n, resolution int) float64 {
	// The mean cell area at resolution 0 is 4.36e12 m²; each step is a seventh. https://h3geo.org/docs/core-library/restable
	area := 4.357e12 / math.Pow(7, float64(resolution))
	cells := math.Sqrt(500 * float64(n))
	return min(max(6000, math.Sqrt(cells*area/math.Pi)), 100_000)
}
