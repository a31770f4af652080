package workload

import "math"

// How a route is found. Between two crossings of one bank it is the fastest of two kinds: local streets all the way, or
// by a corner of the arterial square around the first crossing to a corner of the square around the second, arterials
// between the two. With the river in between, it is the fastest over the bridges that can come into question.

// passage is a way between two crossings of one bank.
type passage struct {
	seconds, metres float64 // of the plan, without bend
	from, to        crossing
	arterial        bool     // by the corners; else by local streets
	first, last     crossing // the corners
}

// route is a way between two spots.
type route struct {
	seconds, metres float64 // of the plan, without bend, without access
	straight        bool    // along one block
	ways            [2]passage
	n               int // passages; the bridge is between the first and the second
}

// fastest returns the fastest route from s to t.
func fastest(s, t spot, v speeds) route {
	same, straight := sameBlock(s, t)
	if straight {
		d := math.Abs(s.u-t.u) + math.Abs(s.v-t.v)
		line, _ := s.street()
		return route{seconds: d / v.on(line), metres: d, straight: true}
	}
	best := route{seconds: math.Inf(1)}
	exits, nExits := s.leaving()
	entries, nEntries := t.entering()
	sLine, _ := s.street()
	tLine, _ := t.street()
	for _, exit := range exits[:nExits] {
		for _, entry := range entries[:nEntries] {
			r := between(exit, entry, s.north != t.north, v)
			if same { // against the one-way street: round the block instead of back through it
				r.metres += 2 * block
				r.seconds += 2 * block / v.local
			}
			out, in := s.toCrossing(exit), t.toCrossing(entry)
			r.metres += out + in
			r.seconds += out/v.on(sLine) + in/v.on(tLine)
			if r.seconds < best.seconds {
				best = r
			}
		}
	}
	return best
}

// between returns the fastest route from one crossing to another, over a bridge or not.
func between(from, to crossing, over bool, v speeds) route {
	if !over {
		w := pass(from, to, v)
		return route{seconds: w.seconds, metres: w.metres, ways: [2]passage{w}, n: 1}
	}
	best := route{seconds: math.Inf(1)}
	for _, b := range bridges(from.i, to.i) {
		head := crossing{b, riverRow}
		first, second := pass(from, head, v), pass(head, to, v)
		seconds := first.seconds + riverWidth/v.bridge + second.seconds
		if seconds < best.seconds {
			best = route{
				seconds: seconds,
				metres:  first.metres + riverWidth + second.metres,
				ways:    [2]passage{first, second},
				n:       2,
			}
		}
	}
	return best
}

// bridges returns the columns of the bridges next to columns i and j, on either side of each: one of them is on the
// shortest way between the two.
func bridges(i, j int) [4]int {
	a, b := floorTo(i, bridgeEvery), floorTo(j, bridgeEvery)
	return [4]int{a, a + bridgeEvery, b, b + bridgeEvery}
}

// pass returns the fastest way between two crossings of one bank.
func pass(from, to crossing, v speeds) passage {
	d := gridMetres(from, to)
	best := passage{seconds: d / v.local, metres: d, from: from, to: to}
	starts, ends := corners(from), corners(to)
	var start, end [4]float64 // seconds to a corner and from it
	for k := range 4 {
		start[k], _ = toCorner(from, starts[k], v)
		end[k], _ = toCorner(to, ends[k], v)
	}
	for k, first := range starts {
		for l, last := range ends {
			seconds := start[k] + gridMetres(first, last)/v.arterial + end[l]
			if seconds < best.seconds {
				best.seconds, best.arterial, best.first, best.last = seconds, true, first, last
			}
		}
	}
	if best.arterial {
		best.metres = gridMetres(from, best.first) + gridMetres(best.first, best.last) + gridMetres(best.last, to)
	}
	return best
}

// toCorner returns the seconds between c and a corner of its arterial square, and the crossing at which the way turns.
// The way may turn first into the corner's row or first into its column; both are arterials.
func toCorner(c, corner crossing, v speeds) (seconds float64, turn crossing) {
	across := float64(abs(c.i-corner.i)) * block
	up := float64(abs(c.j-corner.j)) * block
	byRow := up/v.on(c.i) + across/v.arterial
	byColumn := across/v.on(c.j) + up/v.arterial
	if byRow <= byColumn {
		return byRow, crossing{c.i, corner.j}
	}
	return byColumn, crossing{corner.i, c.j}
}

// corners returns the corners of the arterial square that c lies in. A corner stays on c's bank, as the quay is one of
// the arterials.
func corners(c crossing) [4]crossing {
	i, j := floorTo(c.i, arterialEvery), floorTo(c.j, arterialEvery)
	right, upper := i, j
	if c.i != i {
		right = i + arterialEvery
	}
	if c.j != j {
		upper = j + arterialEvery
	}
	return [4]crossing{{i, j}, {right, j}, {i, upper}, {right, upper}}
}

// on returns the speed on street number line.
func (v speeds) on(line int) float64 {
	if isArterial(line) {
		return v.arterial
	}
	return v.local
}

// gridMetres returns the metres between two crossings along the streets.
func gridMetres(a, b crossing) float64 { return float64(abs(a.i-b.i)+abs(a.j-b.j)) * block }

func floorTo(x, step int) int { return int(math.Floor(float64(x)/float64(step))) * step }

func abs(x int) int { return max(x, -x) }
