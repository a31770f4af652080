package routecache

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Worked out apart from the code, with integers of any length. Fixed format: a mix that changes gives pairs other anchors and empties every user's cache.
func TestMixGolden(t *testing.T) {
	tests := []struct {
		pair       Pair
		resolution int
		want       uint64
	}{
		{Pair{0x89283082a53ffff, 0x89283082803ffff}, 9, 0x8749f27ce3141d86},
		{Pair{0x89283082803ffff, 0x89283082a53ffff}, 9, 0x5d9f68759b7f7686},
		{Pair{0x89283082a53ffff, 0x89283082a53ffff}, 9, 0xa11650c2b63479cd},
		{Pair{0x89283082a53ffff, 0x89283082803ffff}, 10, 0x3e8b1a7498b32e67},
		{Pair{0x8f2830828052d25, 0x8f283082a30e623}, 15, 0x810172bca1e356fd},
		{Pair{0x8029fffffffffff, 0x80f3fffffffffff}, 0, 0xf39c5cdc32c8363f},
	}
	for _, tt := range tests {
		assert.Equal(t, fmt.Sprintf("%#x", tt.want), fmt.Sprintf("%#x", tt.pair.mix(tt.resolution)), "%v at %d", tt.pair, tt.resolution)
	}
}

// Neighbouring cells differ in few bits, and a dispatch pass asks for all pairs of two small sets of them: so must the
// buckets be as even as chance makes them.
func TestMixSpreadsNeighbours(t *testing.T) {
	town := func(base uint64, res int, cells int) []Cell {
		cs := make([]Cell, cells)
		for i := range cs {
			// The last digits count up, in sevens: children of children of one cell.
			v := base
			for r, k := res, i; k > 0; r, k = r-1, k/7 {
				shift := 3 * (15 - r)
				v = v&^(7<<shift) | uint64(k%7)<<shift
			}
			cs[i] = Cell(v)
			require.True(t, cs[i].Valid(), "%v", cs[i])
		}
		return cs
	}
	tests := []struct {
		name       string
		base       uint64
		resolution int
	}{
		{"resolution 9", 0x89283080003ffff, 9},
		{"resolution 11", 0x8b2830800000fff, 11},
		{"resolution 15", 0x8f2830800000000, 15},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cells := town(tt.base, tt.resolution, 1000)
			for _, log := range []int{2, 7, 13, bucketBits} {
				counts := make([]int, 1<<log)
				for _, o := range cells {
					for _, d := range cells {
						counts[Pair{o, d}.mix(tt.resolution)>>(64-log)]++
					}
				}
				assertUniform(t, counts, len(cells)*len(cells))
			}
			// One courier asks for all orders, and one order is asked for by all couriers.
			for _, swap := range []bool{false, true} {
				counts := make([]int, 128)
				for _, d := range cells {
					p := Pair{cells[17], d}
					if swap {
						p = Pair{d, cells[17]}
					}
					counts[p.mix(tt.resolution)>>(64-7)]++
				}
				assertUniform(t, counts, len(cells))
			}
		})
	}
}

// assertUniform is Pearson's chi-squared test at five standard deviations of its normal approximation, on both sides: a
// spread more even than chance would be one that some other input makes uneven.
func assertUniform(t *testing.T, counts []int, total int) {
	t.Helper()
	mean := float64(total) / float64(len(counts))
	chi := 0.0
	for _, n := range counts {
		chi += (float64(n) - mean) * (float64(n) - mean) / mean
	}
	freedom := float64(len(counts) - 1)
	assert.InDelta(t, 0, (chi-freedom)/math.Sqrt(2*freedom), 5, "over %d buckets", len(counts))
}

// Each bit that can differ between cells flips each bit of the mix about every other time.
func TestMixAvalanche(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const samples = 4000
	for bit := range 2 * 59 {
		var flips [64]int
		for range samples {
			p := Pair{Cell(rng.Uint64()>>12 | 0x089<<52), Cell(rng.Uint64()>>12 | 0x089<<52)}
			q := p
			if bit < 59 {
				q.Origin ^= 1 << bit
			} else {
				q.Dest ^= 1 << (bit - 59)
			}
			for d := p.mix(9) ^ q.mix(9); d != 0; d &= d - 1 {
				flips[bits.TrailingZeros64(d)]++
			}
		}
		for i, n := range flips {
			assert.InDelta(t, samples/2, n, 6*math.Sqrt(samples)/2, "input bit %d, output bit %d", bit, i)
		}
	}
}

func BenchmarkMix(b *testing.B) {
	p := Pair{0x89283082a53ffff, 0x89283082803ffff}
	sum := uint64(0)
	for b.Loop() {
		p.Dest += 1 << 18
		sum += p.mix(9)
	}
	if sum == 0 {
		b.Fatal(sum)
	}
}
