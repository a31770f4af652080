package routecache

// cellsAt knows the valid cells of one resolution, all but the descendants of pentagons, by a test short enough to be made
// for every pair of a batch.
type cellsAt struct {
	top    uint64 // the twelve bits above the base cell
	sevens uint64 // the low bit of each digit that is 7
}

func newCellsAt(resolution int) cellsAt {
	unused := uint64(1)<<(digitBits*(MaxResolution-resolution)) - 1
	return cellsAt{top: topOfCell<<4 | uint64(resolution), sevens: unused & digitLowBits}
}

// hexagon reports whether c is such a cell. It is short enough to inline; where it says no, Cell.Valid has the last word.
func (a *cellsAt) hexagon(c Cell) bool {
	v := uint64(c)
	return v>>resolutionShift == a.top && v&(v>>1)&(v>>2)&digitLowBits == a.sevens && hexagonBases[v>>baseCellShift&0x7f]
}

// hexagons reports whether both cells of p are such cells.
func (a *cellsAt) hexagons(p Pair) bool { return a.hexagon(p.Origin) && a.hexagon(p.Dest) }

// hexagonBases has true for each base cell that exists and is not a pentagon.
var hexagonBases = func() (set [128]bool) {
	for b := range baseCells {
		set[b] = pentagons[b/64]&(1<<(b%64)) == 0
	}
	return set
}()
