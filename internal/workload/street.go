package workload

import "math"

// crossing is where column i meets row j of the street grid. The quays share row riverRow; which bank is meant is known
// from the context, as no route along the streets of one bank leaves it.
type crossing struct{ i, j int }

// spot is a place on a street, in the coordinates of the grid: u along the rows and v along the columns, in metres, with
// the river left out.
type spot struct {
	u, v   float64
	north  bool    // on the northern bank
	onRow  bool    // on a row, so that v is a multiple of block; else on a column
	access float64 // metres from the place that was asked for to the street
}

// spotAt returns the spot on the street nearest to p. From the water it is the nearer quay.
func spotAt(p point) spot {
	s := spot{u: p.x, v: p.y}
	switch {
	case p.y >= quay+riverWidth:
		s.v, s.north = p.y-riverWidth, true
	case p.y > quay+riverWidth/2:
		s.v, s.north, s.access = quay, true, quay+riverWidth-p.y
	case p.y > quay:
		s.v, s.access = quay, p.y-quay
	}
	column := math.Round(s.u/block) * block
	row := math.Round(s.v/block) * block
	offColumn, offRow := math.Abs(s.u-column), math.Abs(s.v-row)
	if offRow <= offColumn {
		s.v, s.onRow = row, true
		s.access += offRow
	} else {
		s.u = column
		s.access += offColumn
	}
	return s
}

// point returns where s is in the plane.
func (s spot) point() point {
	if s.north {
		return point{s.u, s.v + riverWidth}
	}
	return point{s.u, s.v}
}

// at returns where crossing c is in the plane, on the northern bank or the southern.
func (c crossing) at(north bool) point {
	return spot{u: float64(c.i) * block, v: float64(c.j) * block, north: north}.point()
}

// street returns the number of the street that s is on and the position of s along it in blocks.
func (s spot) street() (line int, along float64) {
	if s.onRow {
		return int(math.Round(s.v / block)), s.u / block
	}
	return int(math.Round(s.u / block)), s.v / block
}

// crossing returns the crossing at position k, in blocks, along the street that s is on.
func (s spot) crossing(k float64) crossing {
	line, _ := s.street()
	if s.onRow {
		return crossing{int(k), line}
	}
	return crossing{line, int(k)}
}

func isArterial(line int) bool { return line%arterialEvery == 0 }

// leaving returns the crossings by which a car at s can leave its block: both ends on an arterial, the end ahead on any
// other street, as those are one-way in turns.
func (s spot) leaving() (ends [2]crossing, n int) {
	line, along := s.street()
	back, ahead := s.crossing(math.Floor(along)), s.crossing(math.Ceil(along))
	switch {
	case isArterial(line):
		return [2]crossing{back, ahead}, 2
	case line%2 == 0:
		return [2]crossing{ahead}, 1
	default:
		return [2]crossing{back}, 1
	}
}

// entering returns the crossings by which a car can enter the block of s.
func (s spot) entering() (ends [2]crossing, n int) {
	line, along := s.street()
	back, ahead := s.crossing(math.Floor(along)), s.crossing(math.Ceil(along))
	switch {
	case isArterial(line):
		return [2]crossing{back, ahead}, 2
	case line%2 == 0:
		return [2]crossing{back}, 1
	default:
		return [2]crossing{ahead}, 1
	}
}

// sameBlock reports whether s and t lie on the same street between the same two crossings, and whether a car may drive
// from s to t without leaving the block.
func sameBlock(s, t spot) (same, straight bool) {
	sLine, from := s.street()
	tLine, to := t.street()
	if s.onRow != t.onRow || s.north != t.north || sLine != tLine || math.Floor(from) != math.Floor(to) {
		return false, false
	}
	switch {
	case isArterial(sLine):
		return true, true
	case sLine%2 == 0:
		return true, to >= from
	default:
		return true, to <= from
	}
}

// toCrossing returns the metres between s and a crossing of its own street.
func (s spot) toCrossing(c crossing) float64 {
	return math.Abs(s.u-float64(c.i)*block) + math.Abs(s.v-float64(c.j)*block)
}
