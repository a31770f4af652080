package routecache

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTTL(t *testing.T) {
	tests := []struct {
		name string
		ttl  time.Duration
		want string // milliseconds, or "" if refused
	}{
		{"G1 zero", 0, ""},
		{"G1 negative", -time.Second, ""},
		{"G1 most negative", math.MinInt64, ""},
		{"G1 a nanosecond", 1, "1"},
		{"G1 just below a millisecond", time.Millisecond - 1, "1"},
		{"a millisecond", time.Millisecond, "1"},
		{"rest below a millisecond is dropped", 2*time.Millisecond - 1, "1"},
		{"five minutes", 5 * time.Minute, "300000"},
		{"longest", 10 * 365 * 24 * time.Hour, "315360000000"},
		{"G2 longer than the longest", 10*365*24*time.Hour + 1, "315360000000"},
		{"G2 longest duration there is", math.MaxInt64, "315360000000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ttl, err := checkTTL(tt.ttl)
			if tt.want == "" {
				var ttlErr *TTLError
				require.ErrorAs(t, err, &ttlErr)
				assert.Equal(t, tt.ttl, ttlErr.TTL)
				assert.Contains(t, err.Error(), "not above zero")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, fmt.Sprint(ttl.Milliseconds()))
		})
	}
}

func TestJitterTTL(t *testing.T) {
	t.Run("G7 spread evenly within its bounds", func(t *testing.T) {
		const ttl, spread = time.Hour, 0.1
		var tenths [10]int
		for seed := range uint64(10_000) {
			got := JitterTTL(ttl, spread, seed)
			share := (got.Seconds()/ttl.Seconds() - 1 + spread) / (2 * spread)
			require.True(t, share >= 0 && share < 1, "%v", got)
			tenths[int(share*10)]++
		}
		for _, n := range tenths {
			assert.InDelta(t, 1000, n, 150)
		}
	})
	t.Run("G7 deterministic under a seed", func(t *testing.T) {
		assert.Equal(t, JitterTTL(time.Hour, 0.15, 42), JitterTTL(time.Hour, 0.15, 42))
		assert.NotEqual(t, JitterTTL(time.Hour, 0.15, 42), JitterTTL(time.Hour, 0.15, 43))
	})
	t.Run("G7 never outside what a TTL may be", func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 100_000 {
			ttl := time.Duration(rng.Int64() >> rng.IntN(63))
			if ttl == 0 {
				continue
			}
			got := JitterTTL(ttl, rng.Float64()*2, rng.Uint64())
			require.True(t, got >= MinTTL && got <= MaxTTL, "%v from %v", got, ttl)
		}
	})
	t.Run("not positive stays so, to be refused", func(t *testing.T) {
		assert.Zero(t, JitterTTL(0, 0.1, 1))
		assert.Equal(t, -time.Second, JitterTTL(-time.Second, 0.1, 1))
	})
	t.Run("no spread", func(t *testing.T) {
		for _, spread := range []float64{0, -1, math.NaN(), math.Inf(-1)} {
			assert.Equal(t, time.Minute, JitterTTL(time.Minute, spread, 7))
		}
	})
	t.Run("too much spread counts as 1", func(t *testing.T) {
		assert.Equal(t, JitterTTL(time.Minute, 1, 7), JitterTTL(time.Minute, math.Inf(1), 7))
	})
}
