package routecache

import (
	"errors"
	"fmt"
)

// LatLng is a point on the earth in degrees (not radians), north and east positive.
type LatLng struct {
	Lat float64 // -90 to 90
	Lng float64 // -180 to 180
}

// ErrNoSnap is what Snap returns in a program built without cgo: the H3 library is C. Everything else works without it,
// given cells from elsewhere.
var ErrNoSnap = errors.New("routecache: snapping coordinates needs the H3 library: build with CGO_ENABLED=1 and a C compiler")

// Snap returns the cell at the resolution, 0 to 15, that holds p. A coordinate that is out of range or not a number is a
// *CoordError: the H3 library would take most of them and return a valid cell elsewhere. It costs about half a
// microsecond and, inside h3-go, two allocations, so call it once per point, not once per pair. Without cgo it returns
// ErrNoSnap.
func Snap(p LatLng, resolution int) (Cell, error) {
	// In this form the comparisons refuse NaN too.
	if !(p.Lat >= -90 && p.Lat <= 90) {
		return 0, &CoordError{Point: p, Reason: "latitude is not within -90 and 90"}
	}
	if !(p.Lng >= -180 && p.Lng <= 180) {
		return 0, &CoordError{Point: p, Reason: "longitude is not within -180 and 180"}
	}
	if err := checkResolution(resolution); err != nil {
		return 0, err
	}
	return snap(p, resolution)
}

func checkResolution(resolution int) error {
	if resolution < 0 || resolution > MaxResolution {
		return &ResolutionError{Resolution: resolution}
	}
	return nil
}

// CoordError reports a point that is not on the earth.
type CoordError struct {
	Point  LatLng
	Reason string
}

func (e *CoordError) Error() string {
	return fmt.Sprintf("routecache: point %v,%v: %s", e.Point.Lat, e.Point.Lng, e.Reason)
}

// ResolutionError reports a resolution that H3 does not have.
type ResolutionError struct {
	Resolution int
}

func (e *ResolutionError) Error() string {
	return fmt.Sprintf("routecache: resolution %d is not within 0 and %d", e.Resolution, MaxResolution)
}
