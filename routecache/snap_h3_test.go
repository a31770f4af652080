//go:build cgo

package routecache_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/routecache"
)

// Fixed format: cells are part of every key.
func TestSnap(t *testing.T) {
	tests := []struct {
		name       string
		point      routecache.LatLng
		resolution int
		want       string
	}{
		{"H4 Berlin, in degrees", routecache.LatLng{Lat: 52.52, Lng: 13.405}, 9, "891f1d48947ffff"},
		{"H3 latitude and longitude in their fields", routecache.LatLng{Lat: 52.5, Lng: 13.4}, 9, "891f1d48b67ffff"},
		{"H3 the same numbers swapped", routecache.LatLng{Lat: 13.4, Lng: 52.5}, 9, "8963a069c73ffff"},
		{"San Francisco", routecache.LatLng{Lat: 37.7749, Lng: -122.4194}, 9, "89283082803ffff"},
		{"Sydney", routecache.LatLng{Lat: -33.8688, Lng: 151.2093}, 9, "89be0e35cbbffff"},
		{"coarsest", routecache.LatLng{Lat: 37.7749, Lng: -122.4194}, 0, "8029fffffffffff"},
		{"finest", routecache.LatLng{Lat: 37.7749, Lng: -122.4194}, 15, "8f283082800b390"},
		{"where equator and Greenwich meet", routecache.LatLng{}, 9, "89754e64993ffff"},
		{"H10 north pole", routecache.LatLng{Lat: 90}, 9, "890326233abffff"},
		{"H10 north pole by another longitude", routecache.LatLng{Lat: 90, Lng: 77}, 9, "890326233abffff"},
		{"H10 south pole", routecache.LatLng{Lat: -90, Lng: -180}, 9, "89f29380e0fffff"},
		{"H10 antimeridian from the west", routecache.LatLng{Lat: 10, Lng: 180}, 9, "895ba5c698bffff"},
		{"H10 antimeridian from the east", routecache.LatLng{Lat: 10, Lng: -180}, 9, "895ba5c698bffff"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := routecache.Snap(tt.point, tt.resolution)
			require.NoError(t, err)
			assert.Equal(t, tt.want, c.String())
			assert.True(t, c.Valid())
			assert.Equal(t, tt.resolution, c.Resolution())
		})
	}
}

func TestSnapRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	points := []struct {
		name   string
		point  routecache.LatLng
		reason string
	}{
		{"H1 latitude above 90", routecache.LatLng{Lat: 91}, "latitude"},
		{"H1 latitude a little above 90", routecache.LatLng{Lat: math.Nextafter(90, 91)}, "latitude"},
		{"H1 latitude below -90", routecache.LatLng{Lat: -90.001}, "latitude"},
		{"H1 both far out", routecache.LatLng{Lat: 1000, Lng: 2000}, "latitude"},
		{"H2 latitude not a number", routecache.LatLng{Lat: nan}, "latitude"},
		{"H2 longitude not a number", routecache.LatLng{Lng: nan}, "longitude"},
		{"H2 infinite latitude", routecache.LatLng{Lat: -inf}, "latitude"},
		{"H2 infinite longitude", routecache.LatLng{Lng: inf}, "longitude"},
		{"H10 longitude that would wrap", routecache.LatLng{Lng: 541}, "longitude"},
		{"H10 longitude a little above 180", routecache.LatLng{Lng: math.Nextafter(180, 181)}, "longitude"},
		{"H10 longitude below -180", routecache.LatLng{Lng: -180.5}, "longitude"},
	}
	for _, tt := range points {
		t.Run(tt.name, func(t *testing.T) {
			c, err := routecache.Snap(tt.point, 9)
			assert.Zero(t, c)
			var coord *routecache.CoordError
			require.ErrorAs(t, err, &coord)
			assert.Contains(t, err.Error(), tt.reason)
		})
	}
	for _, resolution := range []int{-1, 16, 1 << 40} {
		t.Run("H5 resolution out of range", func(t *testing.T) {
			c, err := routecache.Snap(routecache.LatLng{}, resolution)
			assert.Zero(t, c)
			var res *routecache.ResolutionError
			require.ErrorAs(t, err, &res)
			assert.Equal(t, resolution, res.Resolution)
		})
	}
}

func BenchmarkSnap(b *testing.B) {
	b.ReportAllocs()
	p := routecache.LatLng{Lat: 52.52, Lng: 13.405}
	for b.Loop() {
		if _, err := routecache.Snap(p, 9); err != nil {
			b.Fatal(err)
		}
	}
}
