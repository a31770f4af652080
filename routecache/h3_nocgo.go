//go:build !cgo

package routecache

func snap(LatLng, int) (Cell, error) { return 0, ErrNoSnap }
