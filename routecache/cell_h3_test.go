//go:build cgo

package routecache_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/uber/h3-go/v4"

	"github.com/slotcast/slotcast/routecache"
)

// The C library is the authority on which indexes are cells.

func TestCellValidAsH3(t *testing.T) {
	valid := 0
	check := func(t *testing.T, index uint64) {
		want := h3.Cell(index).IsValid()
		if want {
			valid++
		}
		if got := routecache.Cell(index).Valid(); got != want {
			t.Fatalf("%x: Valid is %v, H3 says %v", index, got, want)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))

	t.Run("every base cell and resolution, first digits of all kinds", func(t *testing.T) {
		for base := range uint64(128) {
			for res := range uint64(16) {
				for zeros := range res + 1 {
					for digit := range uint64(8) {
						check(t, index(base, res, func(r uint64) uint64 {
							switch {
							case r <= zeros:
								return 0
							case r == zeros+1:
								return digit
							}
							return rng.Uint64N(7)
						}))
					}
				}
			}
		}
	})
	t.Run("random digits", func(t *testing.T) {
		for range 500_000 {
			kinds := 7 + rng.Uint64N(2) // with the digit 7 every other time
			check(t, index(rng.Uint64N(128), rng.Uint64N(16), func(uint64) uint64 { return rng.Uint64N(kinds) }))
		}
	})
	t.Run("valid but for one bit", func(t *testing.T) {
		for range 10_000 {
			c := index(rng.Uint64N(122), rng.Uint64N(16), func(uint64) uint64 { return rng.Uint64N(7) })
			for bit := range 64 {
				check(t, c^1<<bit)
			}
		}
	})
	t.Run("random bits", func(t *testing.T) {
		for range 500_000 {
			check(t, rng.Uint64())
			check(t, rng.Uint64()>>8|8<<56)
		}
	})
	require.Greater(t, valid, 300_000, "the cases must be of both kinds")
}

// index assembles an H3 index from its parts.
func index(base, res uint64, digit func(r uint64) uint64) uint64 {
	v := 1<<59 | res<<52 | base<<45
	for r := uint64(1); r <= 15; r++ {
		d := uint64(7)
		if r <= res {
			d = digit(r)
		}
		v |= d << (3 * (15 - r))
	}
	return v
}

func TestParseCellAsH3(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100_000 {
		c := h3.Cell(index(rng.Uint64N(122), rng.Uint64N(16), func(uint64) uint64 { return rng.Uint64N(7) }))
		got, err := routecache.ParseCell(c.String())
		if c.IsValid() != (err == nil) || err == nil && (uint64(got) != uint64(c) || got.Resolution() != c.Resolution() || got.String() != c.String()) {
			t.Fatalf("%v: %v, %v", c, got, err)
		}
	}
}
