package workload

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// spots draws n addresses within radius metres.
func spots(n int, radius float64) []spot {
	r := rand.New(rand.NewPCG(3, 3))
	all := make([]spot, n)
	for i := range all {
		all[i] = spotAt(address(uniform(r, radius)))
	}
	return all
}

func TestCityRoundTrip(t *testing.T) {
	for _, centre := range []LatLng{Berlin, {Lat: -36.85, Lng: 174.76}, {Lat: 64.1, Lng: -179.99}} {
		c := NewCity(centre)
		for _, s := range spots(100, 20_000) {
			p := s.point()
			d := c.degrees(p)
			assert.Less(t, p.distance(c.plane(d)), 0.1)
			assert.LessOrEqual(t, math.Abs(d.Lng), 180.0)
			assert.InEpsilon(t, math.Hypot(p.x, p.y), GreatCircle(centre, d), 0.01)
		}
	}
}

func TestSpotIsOnTheNearestStreet(t *testing.T) {
	for _, test := range []struct {
		name string
		p    point
		want spot
	}{
		{"on a row", point{130, 200}, spot{u: 130, v: 200, onRow: true}},
		{"on a column", point{-300, 250}, spot{u: -300, v: 250}},
		{"beside a row", point{130, 210}, spot{u: 130, v: 200, onRow: true, access: 10}},
		{"beside a column", point{105, 250}, spot{u: 100, v: 250, access: 5}},
		{"at a crossing", point{100, 200}, spot{u: 100, v: 200, onRow: true}},
		{"in the water, nearer to the south", point{30, quay + 20}, spot{u: 30, v: quay, onRow: true, access: 20}},
		{"in the water, nearer to the north", point{30, quay + riverWidth - 20},
			spot{u: 30, v: quay, north: true, onRow: true, access: 20}},
		{"on the northern bank", point{100, quay + riverWidth + 50}, spot{u: 100, v: quay + 50, north: true}},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, spotAt(test.p)) })
	}
}

// Paths stay on streets and bridges and are as long as the route says.
func TestPathFollowsTheStreets(t *testing.T) {
	v := speedsAt(dinnerPeak)
	all := spots(300, 6000)
	over := 0
	for i, s := range all[1:] {
		to := all[i]
		r := fastest(s, to, v)
		path := r.appendPath([]point{s.point()}, s, to, v)
		length := 0.0
		for k, q := range path[1:] {
			p := path[k]
			length += p.distance(q)
			require.True(t, p.x == q.x && onStreet(p.x) || p.y == q.y && onStreet(spotAt(p).v), "from %v to %v", p, q)
			if (p.y <= quay) != (q.y <= quay) {
				over++
				require.Zero(t, math.Mod(p.x, bridgeEvery*block), "crosses the river at x=%v", p.x)
			}
		}
		require.InDelta(t, r.metres, length, 1e-6)
	}
	assert.Greater(t, over, 20, "some routes cross the river")
}

func onStreet(x float64) bool { return math.Mod(x, block) == 0 }

func TestOneWayStreets(t *testing.T) {
	v := speedsAt(0)
	row := func(u, v float64) spot { return spot{u: u, v: v, onRow: true} }
	for _, test := range []struct {
		name   string
		s, t   spot
		metres float64
	}{
		{"with the street", row(210, 200), row(290, 200), 80},
		{"against the street, round the block", row(290, 200), row(210, 200), 10 + 300 + 10},
		{"odd streets run the other way", row(290, 300), row(210, 300), 80},
		{"arterials run both ways", row(290, 600), row(210, 600), 80},
		{"two blocks on", row(210, 200), row(450, 200), 240},
	} {
		t.Run(test.name, func(t *testing.T) { assert.InDelta(t, test.metres, fastest(test.s, test.t, v).metres, 1e-9) })
	}
}

// The two kinds of way are compared with the true fastest way through the grid (Dijkstra's algorithm).
func TestPassIsNearlyTheFastest(t *testing.T) {
	v := speedsAt(dinnerPeak)
	from := crossing{2, 3}
	exact := dijkstra(from, v, -12, riverRow)
	for to, seconds := range exact {
		got := pass(from, to, v).seconds
		require.GreaterOrEqual(t, got, seconds-1e-9, "to %v", to)
		require.LessOrEqual(t, got, seconds+arterialEvery*block/v.local, "to %v", to)
	}
}

type reached struct {
	at      crossing
	seconds float64
}
type frontier []reached

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(i, j int) bool { return f[i].seconds < f[j].seconds }
func (f frontier) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)        { *f = append(*f, x.(reached)) }
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// dijkstra returns the seconds from one crossing to all with coordinates in [low, high].
func dijkstra(from crossing, v speeds, low, high int) map[crossing]float64 {
	done := map[crossing]float64{}
	open := frontier{{from, 0}}
	for len(open) > 0 {
		r := heap.Pop(&open).(reached)
		if _, ok := done[r.at]; ok {
			continue
		}
		done[r.at] = r.seconds
		for _, step := range []struct{ di, dj, line int }{{1, 0, r.at.j}, {-1, 0, r.at.j}, {0, 1, r.at.i}, {0, -1, r.at.i}} {
			next := crossing{r.at.i + step.di, r.at.j + step.dj}
			if min(next.i, next.j) >= low && max(next.i, next.j) <= high {
				heap.Push(&open, reached{next, r.seconds + block/v.on(step.line)})
			}
		}
	}
	return done
}
