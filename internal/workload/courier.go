package workload

import (
	"math/rand/v2"
	"time"
)

// MaxCourierSpeed bounds how fast a courier moves along the streets, in metres per second.
const MaxCourierSpeed = 9.0

// task is what a courier is doing.
type task uint8

const (
	free       task = iota // roaming, or waiting for work
	toEat                  // on the way to a restaurant with an order in hand
	toCustomer             // on the way to the customer
)

// courier moves along a path on the streets, at one speed, and then pauses.
type courier struct {
	at       point
	speed    float64       // metres per second
	path     []point       // what is left of the way, nearest first
	pause    time.Duration // left to stand before going on
	task     task
	customer point // where the order in hand goes
	rand     *rand.Rand
}

func newCourier(r *rand.Rand, radius float64) courier {
	c := courier{rand: r}
	c.at = sampleUntil(radius, func() point {
		if r.Float64() < 0.4 {
			return downtown.sample(r, radius)
		}
		return uniform(r, 0.8*radius)
	})
	c.speed = 3.5 + (MaxCourierSpeed-3.5)*r.Float64() // from a slow bicycle to a scooter
	return c
}

// head sends c to a place by the way that would be the fastest at night.
func (c *courier) head(to point) {
	v := speedsAt(0)
	s, t := spotAt(c.at), spotAt(to)
	c.path = append(c.path[:0], s.point())
	c.path = fastest(s, t, v).appendPath(c.path, s, t, v)
}

// move lets c go on for the time given.
func (c *courier) move(left time.Duration) {
	for left > 0 {
		switch {
		case c.pause > 0:
			d := min(c.pause, left)
			c.pause -= d
			left -= d
			if c.pause == 0 && c.task == toEat && len(c.path) == 0 {
				c.task = toCustomer
				c.head(c.customer)
			}
		case len(c.path) == 0:
			return
		default:
			left = c.advance(left)
		}
	}
}

// advance goes towards the next point of the path and returns the time that is left there.
func (c *courier) advance(left time.Duration) time.Duration {
	next := c.path[0]
	need := time.Duration(c.at.distance(next) / c.speed * float64(time.Second))
	if need > left {
		part := float64(left) / float64(need)
		c.at.x += (next.x - c.at.x) * part
		c.at.y += (next.y - c.at.y) * part
		return 0
	}
	c.at, c.path = next, c.path[1:]
	if len(c.path) == 0 {
		c.arrive()
	}
	return left - need
}

// arrive starts what a courier does where the path ends.
func (c *courier) arrive() {
	c.pause = time.Minute + time.Duration(c.rand.Int64N(int64(3*time.Minute)))
	if c.task == toCustomer {
		c.task = free
	}
}

// take gives c an order.
func (c *courier) take(o Order) {
	c.task, c.customer, c.pause = toEat, o.to, 0
	c.head(o.from)
}
