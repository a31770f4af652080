package workload_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/workload"
)

const dinner = 19*time.Hour + 15*time.Minute

// around draws n points within d degrees of latitude and longitude of the centre of Berlin.
func around(n int, d float64) []workload.LatLng {
	r := rand.New(rand.NewPCG(7, 7))
	points := make([]workload.LatLng, n)
	for i := range points {
		points[i] = workload.LatLng{
			Lat: workload.Berlin.Lat + d*(2*r.Float64()-1),
			Lng: workload.Berlin.Lng + d*(2*r.Float64()-1),
		}
	}
	return points
}

func berlin() *workload.Engine { return &workload.Engine{City: workload.NewCity(workload.Berlin)} }

func TestEstimateFollowsRoads(t *testing.T) {
	e := berlin()
	points := around(400, 0.08)
	var road, air, longest float64
	for i, a := range points[1:] {
		b := points[i]
		got := e.Estimate(a, b, dinner)
		straight := workload.GreatCircle(a, b)
		require.Greater(t, got.Metres, straight, "%v to %v", a, b)
		require.Equal(t, got, e.Estimate(a, b, dinner), "asked again")
		require.Equal(t, got.Metres, math.Round(got.Metres*10)/10)
		require.Equal(t, got.Seconds, math.Round(got.Seconds*10)/10)
		speed := got.Metres / got.Seconds
		require.Greater(t, speed, 1.0, "m/s, %v to %v", a, b)
		require.Less(t, speed, 11.01, "m/s, %v to %v", a, b)
		road += got.Metres
		air += straight
		longest = max(longest, got.Metres/straight)
	}
	// On a street grid the mean detour is 4/π; the river adds to it.
	assert.InDelta(t, 1.4, road/air, 0.15)
	assert.Greater(t, longest, 1.8, "somebody has to go round by a bridge")
}

func TestEstimateIsFiniteEverywhere(t *testing.T) {
	e := berlin()
	points := []workload.LatLng{
		{}, {Lng: 10}, {Lat: 90}, {Lat: -90, Lng: 180}, {Lat: 52.5, Lng: -180}, {Lat: 52.5, Lng: 179.999999}, {Lat: -33.9, Lng: 151.2},
		workload.Berlin, {Lat: workload.Berlin.Lat, Lng: workload.Berlin.Lng + 1e-7},
	}
	for _, a := range points {
		for _, b := range points {
			got := e.Estimate(a, b, dinner)
			for _, x := range []float64{got.Seconds, got.Metres} {
				require.False(t, math.IsNaN(x) || math.IsInf(x, 0) || x < 0, "%v to %v: %v", a, b, got)
			}
			// The projection has no meaning far away, but the promise holds.
			require.GreaterOrEqual(t, got.Metres, workload.GreatCircle(a, b)-0.05, "%v to %v", a, b)
		}
	}
	assert.Zero(t, e.Estimate(workload.Berlin, workload.Berlin, dinner))
}

func TestEstimateTriangle(t *testing.T) {
	e := berlin()
	points := around(36, 0.06)
	for _, a := range points {
		for _, b := range points {
			for _, c := range points {
				if a == b || b == c || a == c {
					continue
				}
				direct := e.Estimate(a, c, dinner).Seconds
				viaB := e.Estimate(a, b, dinner).Seconds + e.Estimate(b, c, dinner).Seconds
				// A route knows two kinds of way, local and by arterial corners, so it may miss a mixture by the
				// way along one arterial square (600 m at 5 m/s).
				require.Less(t, direct, viaB+120, "%v to %v is longer than by %v", a, c, b)
			}
		}
	}
}

func TestEstimateDependsOnDirection(t *testing.T) {
	e := berlin()
	points := around(200, 0.06)
	differ := 0
	for i, a := range points[1:] {
		if e.Estimate(a, points[i], dinner) != e.Estimate(points[i], a, dinner) {
			differ++
		}
	}
	assert.Greater(t, differ, 150, "of 199 ways back are another way")
}

func TestEstimateDependsOnTimeOfDay(t *testing.T) {
	e := berlin()
	points := around(100, 0.06)
	seconds := func(at time.Duration) (sum float64) {
		for i, a := range points[1:] {
			sum += e.Estimate(a, points[i], at).Seconds
		}
		return sum
	}
	night, rush, late := seconds(3*time.Hour), seconds(17*time.Hour+30*time.Minute), seconds(22*time.Hour+30*time.Minute)
	assert.Greater(t, rush, 1.2*night)
	assert.Greater(t, rush, 1.2*late)
	assert.Less(t, rush, 2.5*night)
}

func TestRouteTakesItsTime(t *testing.T) {
	a, b := workload.Berlin, workload.LatLng{Lat: 52.55, Lng: 13.45}
	synctest.Test(t, func(t *testing.T) {
		e := berlin()
		e.Delay = 3 * time.Millisecond
		start := time.Now()
		got, err := e.Route(t.Context(), a, b, dinner)
		require.NoError(t, err)
		assert.Equal(t, e.Estimate(a, b, dinner), got)
		assert.Equal(t, 3*time.Millisecond, time.Since(start))

		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		start = time.Now()
		_, err = e.Route(ctx, a, b, dinner)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, time.Millisecond, time.Since(start))
	})
}

func BenchmarkEstimate(b *testing.B) {
	e := berlin()
	points := around(1024, 0.06)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if e.Estimate(points[i%1024], points[(i+7)%1024], dinner).Seconds <= 0 {
			b.Fatal("no time at all")
		}
		i++
	}
}
