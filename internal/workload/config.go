package workload

import (
	"fmt"
	"math"
	"time"
)

// Config describes an evening. The zero value is an evening in Berlin with 1,000 couriers.
type Config struct {
	// Seed picks the evening. Couriers, restaurants and orders are drawn independently of one another: with more
	// couriers the same restaurants get the same orders.
	Seed uint64
	// Couriers is how many are on duty all evening; default 1,000.
	Couriers int
	// Restaurants is how many there are; default 400.
	Restaurants int
	// OrdersPerHour is the mean number of orders per hour at the peak of dinner time; default 1,200. Early and late in
	// the evening it is about a quarter of that.
	OrdersPerHour float64
	// Radius is the distance in metres from the centre within which people eat and live; default 6,000, at least 1,000, at
	// most 100,000. A courier may drive up to a kilometre further on the way.
	Radius float64
	// Reach is the straight-line distance in metres within which a courier comes into question for a restaurant; default
	// 3,000. [Everybody] makes all of them do.
	Reach float64
	// Centre is the centre of the city, not within 10 degrees of a pole; default Berlin.
	Centre LatLng
	// Start and End are the times of day of the first step and of the end, which is not a step; default 17:00 to 23:00.
	Start, End time.Duration
	// Step is the time between two dispatch passes; default 30 s.
	Step time.Duration
}

// Everybody is a Reach that no city exceeds.
const Everybody = math.MaxFloat64

// Berlin is the default centre.
var Berlin = LatLng{Lat: 52.520008, Lng: 13.404954}

func (c Config) withDefaults() Config {
	if c.Couriers == 0 {
		c.Couriers = 1000
	}
	if c.Restaurants == 0 {
		c.Restaurants = 400
	}
	if c.OrdersPerHour == 0 {
		c.OrdersPerHour = 1200
	}
	if c.Radius == 0 {
		c.Radius = 6000
	}
	if c.Reach == 0 {
		c.Reach = 3000
	}
	if c.Centre == (LatLng{}) {
		c.Centre = Berlin
	}
	if c.Start == 0 {
		c.Start = 17 * time.Hour
	}
	if c.End == 0 {
		c.End = 23 * time.Hour
	}
	if c.Step == 0 {
		c.Step = 30 * time.Second
	}
	return c
}

func (c Config) validate() error {
	for _, check := range []struct {
		ok   bool
		rule string
		got  any
	}{
		{c.Couriers > 0, "couriers must be positive", c.Couriers},
		{c.Restaurants > 0, "restaurants must be positive", c.Restaurants},
		{c.OrdersPerHour > 0 && c.OrdersPerHour <= 1e8, "orders per hour must be positive and at most 1e8", c.OrdersPerHour},
		{c.Radius >= 1000 && c.Radius <= 100_000, "radius must be 1,000 to 100,000 metres", c.Radius},
		{c.Reach > 0, "reach must be positive", c.Reach},
		{math.Abs(c.Centre.Lat) <= 80, "centre must be within 80 degrees of the equator", c.Centre.Lat},
		{math.Abs(c.Centre.Lng) <= 180, "centre must have a longitude within 180 degrees", c.Centre.Lng},
		{c.Start >= 0 && c.Start < c.End && c.End <= 24*time.Hour, "start must be before end, both in one day", c.Start},
		{c.Step > 0, "step must be positive", c.Step},
	} {
		if !check.ok {
			return fmt.Errorf("workload: %s, not %v", check.rule, check.got)
		}
	}
	return nil
}
