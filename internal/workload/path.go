package workload

// appendPath appends the turning points of route r from s to t in the plane, s left out and t included. Neighbouring
// points differ in x or in y, never in both: the path stays on the streets and on the bridges.
func (r route) appendPath(dst []point, s, t spot, v speeds) []point {
	north := s.north
	for k, way := range r.ways[:r.n] {
		if k == 1 {
			north = t.north
		}
		dst = append(dst, way.from.at(north))
		for _, turn := range way.turns(v) {
			dst = append(dst, turn.at(north))
		}
		dst = append(dst, way.to.at(north))
	}
	return append(dst, t.point())
}

// turns returns the crossings at which p turns; some may be the same.
func (p passage) turns(v speeds) []crossing {
	if !p.arterial {
		return []crossing{{p.to.i, p.from.j}}
	}
	_, leave := toCorner(p.from, p.first, v)
	_, enter := toCorner(p.to, p.last, v)
	return []crossing{leave, p.first, {p.last.i, p.first.j}, p.last, enter}
}
