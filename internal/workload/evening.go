package workload

import (
	"math"
	"math/rand/v2"
	"time"
)

// Streams of random numbers of one seed (the second half of a PCG seed).
const (
	restaurantStream = 1 + iota
	orderStream
	courierStream // and one for each courier after it
)

// An Evening is a delivery service at work, moved on one dispatch pass at a time. It is for one goroutine.
type Evening struct {
	cfg         Config
	city        *City
	at          time.Duration
	restaurants []LatLng
	kitchens    []point // the restaurants, in the plane
	popular     popularity
	couriers    []courier
	positions   []LatLng
	orders      []Order
	rand        *rand.Rand // of the orders
}

// New returns the evening that cfg describes, before its first step.
func New(cfg Config) (*Evening, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	e := &Evening{
		cfg:       cfg,
		city:      NewCity(cfg.Centre),
		at:        cfg.Start - cfg.Step,
		popular:   newPopularity(cfg.Restaurants),
		positions: make([]LatLng, cfg.Couriers),
		rand:      rand.New(rand.NewPCG(cfg.Seed, orderStream)),
	}
	r := rand.New(rand.NewPCG(cfg.Seed, restaurantStream))
	for range cfg.Restaurants {
		p := restaurantAddress(r, cfg.Radius)
		e.kitchens = append(e.kitchens, p)
		e.restaurants = append(e.restaurants, e.city.degrees(p))
	}
	for i := range cfg.Couriers {
		r := rand.New(rand.NewPCG(cfg.Seed, courierStream+uint64(i)))
		e.couriers = append(e.couriers, newCourier(r, cfg.Radius))
	}
	return e, nil
}

// Next moves the evening on to its next dispatch pass: orders that were held long enough get the nearest free courier,
// everybody moves, new orders come in. It reports false, and does nothing, when the evening is over.
func (e *Evening) Next() bool {
	if e.at+e.cfg.Step >= e.cfg.End {
		return false
	}
	e.at += e.cfg.Step
	e.assign()
	for i := range e.couriers {
		c := &e.couriers[i]
		if e.at > e.cfg.Start { // before the first pass nobody moves
			e.roam(c)
			c.move(e.cfg.Step)
		}
		e.positions[i] = e.city.degrees(c.at)
	}
	perStep := demand(e.at, e.cfg.OrdersPerHour) * e.cfg.Step.Hours()
	for range poisson(e.rand, perStep) {
		i := e.popular.sample(e.rand)
		to := customerAddress(e.rand, e.kitchens[i], e.cfg.Radius)
		e.orders = append(e.orders, Order{
			Placed:     e.at,
			Restaurant: e.restaurants[i],
			Customer:   e.city.degrees(to),
			from:       e.kitchens[i],
			to:         to,
		})
	}
	return true
}

// roam sends a free courier that has stood long enough to where orders are likely: some restaurant.
func (e *Evening) roam(c *courier) {
	if c.task == free && c.pause == 0 && len(c.path) == 0 {
		c.head(e.kitchens[c.rand.IntN(len(e.kitchens))])
	}
}

// assign gives each order that was held long enough to the nearest free courier within reach; an order that finds none
// stays open.
func (e *Evening) assign() {
	open := e.orders[:0]
	for _, o := range e.orders {
		var nearest *courier
		if e.at-o.Placed >= hold {
			nearest = e.nearestFree(o.from)
		}
		if nearest == nil {
			open = append(open, o)
			continue
		}
		nearest.take(o)
	}
	e.orders = open
}

func (e *Evening) nearestFree(to point) *courier {
	var nearest *courier
	best := math.Inf(1)
	for i := range e.couriers {
		c := &e.couriers[i]
		if d := c.at.distance(to); c.task == free && d <= e.cfg.Reach && d < best {
			nearest, best = c, d
		}
	}
	return nearest
}

// Engine returns the routing engine of the evening's city, without delay.
func (e *Evening) Engine() *Engine { return &Engine{City: e.city} }

// At returns the time of day of the present pass.
func (e *Evening) At() time.Duration { return e.at }

// Couriers returns where the couriers are, the busy ones included. The slice is valid until the next call of Next.
func (e *Evening) Couriers() []LatLng { return e.positions }

// Restaurants returns where the restaurants are. They do not move; the slice must not be modified.
func (e *Evening) Restaurants() []LatLng { return e.restaurants }

// Orders returns the orders that no courier was sent for yet, oldest first. The slice is valid until the next call of
// Next.
func (e *Evening) Orders() []Order { return e.orders }

// A Trip is a question for the routing engine, or for the cache before it.
type Trip struct{ Origin, Dest LatLng }

// AppendTrips appends what the dispatcher asks in the present pass and returns dst: for each open order the trip of each
// free courier within Reach to its restaurant, then the trip from the restaurant to the customer. Two orders of one
// restaurant ask the same courier's trip twice.
func (e *Evening) AppendTrips(dst []Trip) []Trip {
	for i := range e.orders {
		dst = e.appendTripsOf(dst, &e.orders[i])
	}
	return dst
}

func (e *Evening) appendTripsOf(dst []Trip, o *Order) []Trip {
	for i := range e.couriers {
		c := &e.couriers[i]
		if c.task == free && c.at.distance(o.from) <= e.cfg.Reach {
			dst = append(dst, Trip{Origin: e.positions[i], Dest: o.Restaurant})
		}
	}
	return append(dst, Trip{Origin: o.Restaurant, Dest: o.Customer})
}
