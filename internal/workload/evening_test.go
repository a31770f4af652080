package workload_test

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/workload"
)

func newEvening(t testing.TB, cfg workload.Config) *workload.Evening {
	e, err := workload.New(cfg)
	require.NoError(t, err)
	return e
}

// checksum runs a whole evening and sums up every point and every question in it.
func checksum(t *testing.T, cfg workload.Config) string {
	e := newEvening(t, cfg)
	h := fnv.New64a()
	var trips []workload.Trip
	for e.Next() {
		for _, p := range e.Couriers() {
			hashPoint(h, p)
		}
		trips = e.AppendTrips(trips[:0])
		for _, trip := range trips {
			hashPoint(h, trip.Origin)
			hashPoint(h, trip.Dest)
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// hashPoint adds p in whole millionths of a degree.
func hashPoint(h hash.Hash64, p workload.LatLng) {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], uint64(int64(math.Round(p.Lat*1e6))))
	binary.LittleEndian.PutUint64(b[8:], uint64(int64(math.Round(p.Lng*1e6))))
	h.Write(b[:])
}

func TestSameSeedSameEvening(t *testing.T) {
	small := workload.Config{Seed: 1, Couriers: 60, Restaurants: 40, OrdersPerHour: 120}
	golden := checksum(t, small)
	assert.Equal(t, "d0d7bff24da2187d", golden, "the evening of seed 1 has changed: every recorded number of the lab changes with it")
	assert.Equal(t, golden, checksum(t, small), "asked again")
	small.Seed = 2
	assert.NotEqual(t, golden, checksum(t, small), "another seed")
}

func TestStreamsAreIndependent(t *testing.T) {
	few := newEvening(t, workload.Config{Seed: 5, Couriers: 10, Reach: 1})
	many := newEvening(t, workload.Config{Seed: 5, Couriers: 20, Reach: 1})
	assert.Equal(t, few.Restaurants(), many.Restaurants())
	for range 20 {
		require.True(t, few.Next())
		require.True(t, many.Next())
	}
	assert.Equal(t, few.Orders()[:5], many.Orders()[:5])
}

func TestCouriersMoveAlongRoads(t *testing.T) {
	cfg := workload.Config{Seed: 3, Couriers: 200, Restaurants: 100, OrdersPerHour: 400}
	e := newEvening(t, cfg)
	require.True(t, e.Next())
	before := slices.Clone(e.Couriers())
	moved, steps := 0, 0
	bound := workload.MaxCourierSpeed * 30
	for e.Next() {
		for i, p := range e.Couriers() {
			steps++
			d := workload.GreatCircle(before[i], p)
			require.LessOrEqual(t, d, bound*1.005, "courier %d jumps at %v", i, e.At())
			require.Less(t, workload.GreatCircle(workload.Berlin, p), 7000.0, "courier %d leaves the city", i)
			if d > 1 {
				moved++
			}
			// Each position is on a street or a bridge: from there the engine needs no way across a block.
			if steps%97 == 0 {
				require.InDelta(t, 0, offStreet(p), 1, "courier %d at %v", i, p)
			}
		}
		copy(before, e.Couriers())
	}
	assert.Equal(t, 719*200, steps, "30 s from 17:00 to 23:00")
	assert.InDelta(t, 0.75, float64(moved)/float64(steps), 0.2, "share of couriers on the move")
}

// offStreet returns how far p is from the nearest street or bridge in metres, judged from outside: the grid is turned by
// 24 degrees, a street every 100 m, and the river is 140 m wide from 1,200 m on.
func offStreet(p workload.LatLng) float64 {
	const perDeg = 6371008.8 * math.Pi / 180
	north := (p.Lat - workload.Berlin.Lat) * perDeg
	east := (p.Lng - workload.Berlin.Lng) * perDeg * math.Cos(workload.Berlin.Lat*math.Pi/180)
	sin, cos := math.Sincos(24 * math.Pi / 180)
	x, y := east*cos+north*sin, north*cos-east*sin
	if y > 1200.5 && y < 1339.5 {
		return math.Abs(math.Remainder(x, 1800))
	}
	if y > 1270 {
		y -= 140
	}
	return min(math.Abs(math.Remainder(x, 100)), math.Abs(math.Remainder(y, 100)))
}

func TestDowntownIsBusyAtDinnerTime(t *testing.T) {
	e := newEvening(t, workload.Config{Seed: 4})
	downtown := func(p workload.LatLng) bool { return workload.GreatCircle(workload.Berlin, p) < 1500 }
	share := func(points []workload.LatLng) float64 {
		n := 0
		for _, p := range points {
			if downtown(p) {
				n++
			}
		}
		return float64(n) / float64(len(points))
	}
	// 1.5 km around the centre are a sixteenth of the city's area.
	assert.Greater(t, share(e.Restaurants()), 0.4)
	placed := map[time.Duration]int{}
	inDowntown, all := 0, 0
	var couriers float64
	for e.Next() {
		for _, o := range e.Orders() {
			if o.Placed != e.At() {
				continue
			}
			all++
			placed[e.At().Truncate(time.Hour)]++
			if downtown(o.Restaurant) {
				inDowntown++
			}
			require.NotEqual(t, o.Restaurant, o.Customer)
			require.Less(t, workload.GreatCircle(o.Restaurant, o.Customer), 4100.0)
		}
		if e.At() == dinner {
			couriers = share(e.Couriers())
		}
	}
	assert.Greater(t, float64(inDowntown)/float64(all), 0.35)
	assert.Greater(t, couriers, 0.25, "couriers go where the restaurants are")
	assert.InDelta(t, 1150, placed[19*time.Hour], 150, "orders in the hour of the peak")
	assert.Greater(t, placed[19*time.Hour], 2*placed[17*time.Hour])
	assert.Greater(t, placed[19*time.Hour], 3*placed[22*time.Hour])
}

func TestTrips(t *testing.T) {
	e := newEvening(t, workload.Config{Seed: 6, Couriers: 300, Restaurants: 50, OrdersPerHour: 600})
	asked := map[workload.Trip]int{}
	total := 0
	for e.Next() && e.At() < 18*time.Hour {
		trips := e.AppendTrips(nil)
		delivery := 0
		for _, trip := range trips {
			fromCourier := slices.Contains(e.Couriers(), trip.Origin)
			toRestaurant := slices.Contains(e.Restaurants(), trip.Dest)
			if fromCourier && toRestaurant {
				require.Less(t, workload.GreatCircle(trip.Origin, trip.Dest), 3015.0)
			} else {
				require.Contains(t, e.Restaurants(), trip.Origin)
				delivery++
			}
			asked[trip]++
			total++
		}
		require.LessOrEqual(t, delivery, len(e.Orders()))
	}
	assert.Greater(t, total, 10_000)
	assert.Less(t, len(asked), total, "some questions are asked again")
}

func TestOrdersAreTaken(t *testing.T) {
	e := newEvening(t, workload.Config{Seed: 8, OrdersPerHour: 300})
	for e.Next() {
		for _, o := range e.Orders() {
			require.Less(t, e.At()-o.Placed, 5*time.Minute, "with more than enough couriers no order waits")
		}
	}
	assert.Equal(t, 23*time.Hour-30*time.Second, e.At())
	assert.False(t, e.Next(), "the evening is over")
}

func TestConfigIsChecked(t *testing.T) {
	for _, test := range []struct {
		name string
		cfg  workload.Config
		want string
	}{
		{"couriers", workload.Config{Couriers: -1}, "workload: couriers must be positive, not -1"},
		{"restaurants", workload.Config{Restaurants: -1}, "workload: restaurants must be positive, not -1"},
		{"orders", workload.Config{OrdersPerHour: math.NaN()}, "workload: orders per hour must be positive and at most 1e8, not NaN"},
		{"radius", workload.Config{Radius: 5}, "workload: radius must be 1,000 to 100,000 metres, not 5"},
		{"reach", workload.Config{Reach: -5}, "workload: reach must be positive, not -5"},
		{"latitude", workload.Config{Centre: workload.LatLng{Lat: 85}}, "workload: centre must be within 80 degrees of the equator, not 85"},
		{"longitude", workload.Config{Centre: workload.LatLng{Lng: 200}}, "workload: centre must have a longitude within 180 degrees, not 200"},
		{"times", workload.Config{Start: 20 * time.Hour, End: 19 * time.Hour}, "workload: start must be before end, both in one day, not 20h0m0s"},
		{"step", workload.Config{Step: -1}, "workload: step must be positive, not -1ns"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := workload.New(test.cfg)
			require.EqualError(t, err, test.want)
		})
	}
}

// BenchmarkPass makes the million questions of 1,000 couriers and 1,000 orders.
func BenchmarkPass(b *testing.B) {
	e := newEvening(b, workload.Config{Reach: workload.Everybody, OrdersPerHour: 500_000})
	require.True(b, e.Next())
	trips := e.AppendTrips(nil)
	b.ReportAllocs()
	for b.Loop() {
		trips = e.AppendTrips(trips[:0])
	}
	b.ReportMetric(float64(len(trips)), "trips")
}

func BenchmarkEvening(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		e := newEvening(b, workload.Config{})
		for e.Next() {
		}
	}
}
