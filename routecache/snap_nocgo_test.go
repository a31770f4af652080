//go:build !cgo

package routecache_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/routecache"
)

func TestSnapWithoutCgo(t *testing.T) {
	t.Run("H11 a good point says what is missing", func(t *testing.T) {
		_, err := routecache.Snap(routecache.LatLng{Lat: 52.52, Lng: 13.405}, 9)
		require.ErrorIs(t, err, routecache.ErrNoSnap)
		assert.Contains(t, err.Error(), "CGO_ENABLED=1")
	})
	t.Run("H1 a bad point is refused as such", func(t *testing.T) {
		_, err := routecache.Snap(routecache.LatLng{Lat: 91}, 9)
		var coord *routecache.CoordError
		require.ErrorAs(t, err, &coord)
	})
}
