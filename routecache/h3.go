//go:build cgo

package routecache

import (
	"fmt"

	"github.com/uber/h3-go/v4"
)

// snap asks the H3 library for the cell of a point already known to be in range.
func snap(p LatLng, resolution int) (Cell, error) {
	h, err := h3.LatLngToCell(h3.LatLng{Lat: p.Lat, Lng: p.Lng}, resolution)
	if err != nil {
		return 0, fmt.Errorf("routecache: point %v,%v: %w", p.Lat, p.Lng, err)
	}
	return Cell(h), nil
}
