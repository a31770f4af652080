package routecache_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/race"
	"github.com/slotcast/slotcast/routecache"
)

// Fixed format: changing it empties every user's cache.
func TestAppendEstimateGolden(t *testing.T) {
	tests := []struct {
		name     string
		estimate routecache.Estimate
		want     string
	}{
		{"typical", routecache.Estimate{Seconds: 412.3, Metres: 5120.7}, "412.3,5120.7"},
		{"whole numbers", routecache.Estimate{Seconds: 60, Metres: 1000}, "60,1000"},
		{"zero", routecache.Estimate{}, "0,0"},
		{"G3 minus zero", routecache.Estimate{Seconds: math.Copysign(0, -1), Metres: math.Copysign(0, -1)}, "0,0"},
		{"below one", routecache.Estimate{Seconds: 0.5, Metres: 0.001}, "0.5,0.001"},
		{"hundredths", routecache.Estimate{Seconds: 1.25, Metres: 100.01}, "1.25,100.01"},
		{"thousandths", routecache.Estimate{Seconds: 412.345, Metres: 5120.007}, "412.345,5120.007"},
		{"more places", routecache.Estimate{Seconds: 0.30000000000000004, Metres: 1.0 / 3}, "0.30000000000000004,0.3333333333333333"},
		{"G3 small, without exponent", routecache.Estimate{Seconds: 0.000056, Metres: 9e-06}, "0.000056,0.000009"},
		{"G3 large, without exponent", routecache.Estimate{Seconds: 1e21, Metres: 123456789e15}, "1000000000000000000000,123456789000000000000000"},
		{"2^53 and its neighbour", routecache.Estimate{Seconds: 1 << 53, Metres: 1<<53 + 2}, "9007199254740992,9007199254740994"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := routecache.AppendEstimate([]byte("+"), tt.estimate)
			require.NoError(t, err)
			assert.Equal(t, "+"+tt.want, string(got))

			back, err := routecache.ParseEstimate(got[1:])
			require.NoError(t, err)
			assert.Equal(t, tt.estimate.Seconds, back.Seconds)
			assert.Equal(t, tt.estimate.Metres, back.Metres)
			assert.False(t, math.Signbit(back.Seconds) || math.Signbit(back.Metres))
		})
	}
}

func TestAppendEstimateRefuses(t *testing.T) {
	for _, tt := range []struct {
		name  string
		value float64
	}{
		{"G5 not a number", math.NaN()},
		{"G5 infinite", math.Inf(1)},
		{"G5 minus infinite", math.Inf(-1)},
		{"negative", -0.1},
		{"negative, smallest", -math.SmallestNonzeroFloat64},
	} {
		for _, field := range []string{"seconds", "metres"} {
			t.Run(tt.name+" "+field, func(t *testing.T) {
				e := routecache.Estimate{Seconds: tt.value, Metres: 1}
				if field == "metres" {
					e = routecache.Estimate{Seconds: 1, Metres: tt.value}
				}
				got, err := routecache.AppendEstimate([]byte("kept"), e)
				assert.Equal(t, "kept", string(got))
				var estimateErr *routecache.EstimateError
				require.ErrorAs(t, err, &estimateErr)
				assert.Equal(t, field, estimateErr.Field)
				assert.Equal(t, strconv.FormatFloat(tt.value, 'g', -1, 64), strconv.FormatFloat(estimateErr.Value, 'g', -1, 64))
				assert.Contains(t, err.Error(), field)
				assert.Error(t, e.Check())
			})
		}
	}
	assert.NoError(t, routecache.Estimate{Seconds: math.MaxFloat64, Metres: math.Copysign(0, -1)}.Check())
}

// Whatever the number, the text is strconv's, byte for byte.
func TestAppendEstimateAsStrconv(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	var got, want []byte
	eachFloat(rng, func(v float64) {
		got, _ = routecache.AppendEstimate(got[:0], routecache.Estimate{Seconds: v, Metres: v})
		want = strconv.AppendFloat(want[:0], v, 'f', -1, 64)
		want = append(want, ',')
		want = strconv.AppendFloat(want, v, 'f', -1, 64)
		if string(got) != string(want) {
			t.Fatalf("%x: got %s, want %s", math.Float64bits(v), got, want)
		}
	})
}

// eachFloat calls f with some millions of finite numbers of zero or more: all that lies near what a shortcut may trip over.
func eachFloat(rng *rand.Rand, f func(v float64)) {
	neighbours := func(v float64) {
		f(v)
		f(math.Nextafter(v, 0))
		if v < math.MaxFloat64 {
			f(math.Nextafter(v, math.Inf(1)))
		}
	}
	neighbours(0)
	neighbours(math.MaxFloat64)
	for exp := -1074; exp <= 1023; exp++ {
		neighbours(math.Ldexp(1, exp))
	}
	for exp := range 310 {
		for d := range 10 {
			for _, sign := range []string{"", "-"} {
				v, _ := strconv.ParseFloat(strconv.Itoa(d)+"e"+sign+strconv.Itoa(exp), 64)
				if !math.IsInf(v, 0) {
					neighbours(v)
				}
			}
		}
	}
	for tenths := range 100_000 {
		neighbours(float64(tenths) / 10)
	}
	rounds := 300_000
	if race.Enabled {
		rounds = 30_000
	}
	for i := range rounds {
		places := []float64{1, 10, 100, 1000, 1e4, 1e6, 1e9}[rng.IntN(7)]
		neighbours(float64(rng.Uint64N(1<<(1+rng.IntN(53)))) / places)
		if v := math.Float64frombits(rng.Uint64() >> 1); i%8 == 0 && v <= math.MaxFloat64 {
			f(v) // up to 326 bytes long, and slow
		}
		f(rng.Float64() * 10_000)
		f(float64(rng.Uint64() >> rng.IntN(20)))
	}
}

func TestEstimateAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	dst := make([]byte, 0, 1024)
	for _, e := range []routecache.Estimate{
		{Seconds: 412.3, Metres: 5120.7},
		{Seconds: 1.0 / 3, Metres: 1e22},
		{Seconds: math.MaxFloat64, Metres: 2.2250738585072014e-308},
	} {
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			dst, _ = routecache.AppendEstimate(dst[:0], e)
			if got, err := routecache.ParseEstimate(dst); err != nil || got != e {
				t.Fatal(got, err)
			}
		}), "%v", e)
	}
	corrupt := []byte("412.3;5120.7")
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if _, err := routecache.ParseEstimate(corrupt); err != routecache.ErrCorrupt {
			t.Fatal(err)
		}
	}), "corrupt")
}
