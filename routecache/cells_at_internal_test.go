package routecache

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The short test may say no to a valid cell, but only to one under a pentagon; and never yes to what is not valid.
func TestHexagonAgreesWithValid(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	hexagonsSeen := 0
	for range 2_000_000 {
		res := rng.IntN(16)
		v := uint64(8)<<56 | uint64(res)<<52 | rng.Uint64N(1<<52)
		v |= 1<<(3*(15-res)) - 1
		if rng.IntN(4) == 0 {
			v ^= 1 << rng.IntN(64)
		}
		// Turn sevens within the resolution into sixes, most of the time.
		if rng.IntN(4) > 0 {
			for shift := 3 * (15 - res); shift < 45; shift += 3 {
				if v>>shift&7 == 7 {
					v ^= 1 << shift
				}
			}
		}
		c, at := Cell(v), newCellsAt(res)
		base := v >> 45 & 0x7f
		want := c.validAt(res) && pentagons[base/64]&(1<<(base%64)) == 0
		if got := at.hexagon(c); got != want {
			t.Fatalf("%v at %d: %v", c, res, got)
		}
		if want {
			hexagonsSeen++
		}
	}
	assert.Greater(t, hexagonsSeen, 500_000)
}
