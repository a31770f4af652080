package routecache_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/race"
	"github.com/slotcast/slotcast/routecache"
)

func TestParseEstimate(t *testing.T) {
	tests := []struct {
		name, value string
		want        routecache.Estimate
	}{
		{"typical", "412.3,5120.7", routecache.Estimate{Seconds: 412.3, Metres: 5120.7}},
		{"whole", "60,1000", routecache.Estimate{Seconds: 60, Metres: 1000}},
		{"zeros", "0,0.0", routecache.Estimate{}},
		{"zeros at the end", "412.300,5120.70", routecache.Estimate{Seconds: 412.3, Metres: 5120.7}},
		{"19 digits", "0.000000000000000001,9223372036854775807", routecache.Estimate{Seconds: 1e-18, Metres: 9223372036854775807}},
		{"more digits than count", "0.30000000000000004441,12345678901234567890123", routecache.Estimate{Seconds: 0.30000000000000004, Metres: 12345678901234567890123}},
		{"halfway, to even", "9007199254740993,9007199254740993.0000000000001", routecache.Estimate{Seconds: 9007199254740992, Metres: 9007199254740994}},
		{"so small that it is zero", "0." + strings.Repeat("0", 340) + "1,1", routecache.Estimate{Metres: 1}},
		{"largest there is", strconv.FormatFloat(math.MaxFloat64, 'f', -1, 64) + ",1", routecache.Estimate{Seconds: math.MaxFloat64, Metres: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := routecache.ParseEstimate([]byte(tt.value))
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestParseEstimateRefuses(t *testing.T) {
	tests := []struct{ name, value string }{
		{"G11 empty", ""},
		{"one field", "412.3"},
		{"no seconds", ",5120.7"},
		{"no metres", "412.3,"},
		{"only a comma", ","},
		{"G4 decimal comma, four fields", "52,5,13,4"},
		{"three fields", "1,2,3"},
		{"G4 trailing comma", "412.3,5120.7,"},
		{"semicolon", "412.3;5120.7"},
		{"G4 CR LF", "412.3,5120.7\r\n"},
		{"G4 LF", "412.3,5120.7\n"},
		{"G4 byte order mark", "\ufeff412.3,5120.7"},
		{"G4 quoted", `"412.3","5120.7"`},
		{"G5 NaN", "NaN,1"},
		{"G5 nan in the second", "1,nan"},
		{"G5 Inf", "Inf,1"},
		{"G5 infinity", "1,infinity"},
		{"G5 overflow", "1" + strings.Repeat("0", 309) + ",1"},
		{"G5 overflow in the second", "1,1" + strings.Repeat("0", 400)},
		{"G3 exponent", "5.6e-05,1"},
		{"G3 exponent without a point", "1,1E3"},
		{"hex", "0x10,1"},
		{"hex float", "0x1p-2,1"},
		{"underscore", "1_000,1"},
		{"plus", "+1,1"},
		{"minus", "-1,1"},
		{"G3 minus zero", "-0,1"},
		{"space before", " 1,1"},
		{"space behind", "1,1 "},
		{"space in between", "1, 1"},
		{"point without digits", ".,1"},
		{"point first", ".5,1"},
		{"point last", "5.,1"},
		{"point last in the second", "1,5."},
		{"two points", "1.2.3,1"},
		{"leading zero", "01,1"},
		{"leading zeros before a point", "1,00.5"},
		{"NUL", "1,1\x00"},
		{"digits of another script", "١,١"},
		{"the byte below 0", "1/,1"},
		{"the byte above 9", "1:,1"},
		{"JSON", `{"seconds":412.3,"metres":5120.7}`},
		{"G10 longer than any estimate", "1," + strings.Repeat("0", 2) + "." + strings.Repeat("1", 700)},
		{"long but well formed", "1,0." + strings.Repeat("1", 697)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := routecache.ParseEstimate([]byte(tt.value))
			assert.Equal(t, routecache.ErrCorrupt, err)
			assert.Zero(t, got)
		})
	}
	t.Run("the longest that is read", func(t *testing.T) {
		_, err := routecache.ParseEstimate([]byte("1,0." + strings.Repeat("1", 696)))
		assert.NoError(t, err)
	})
	t.Run("the longest that is written", func(t *testing.T) {
		widest := math.Float64frombits(0x0010000000000001) // 17 digits behind 307 zeros
		b, err := routecache.AppendEstimate(nil, routecache.Estimate{Seconds: widest, Metres: widest})
		require.NoError(t, err)
		assert.Less(t, len(b), 700)
		_, err = routecache.ParseEstimate(b)
		assert.NoError(t, err)
	})
}

// Never a wrong last bit: whatever is written reads back the same, and random decimals read as strconv has them.
func TestParseEstimateAsStrconv(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	var b []byte
	check := func(b []byte, want float64) {
		if got, err := routecache.ParseEstimate(b); err != nil || got.Seconds != want || got.Metres != want {
			t.Fatalf("%s: %v, %v, want %v", b, got, err, want)
		}
	}
	eachFloat(rng, func(v float64) {
		b = strconv.AppendFloat(b[:0], v, 'f', -1, 64)
		b = append(append(b, ','), b...)
		check(b, v)
	})
	rounds := 500_000
	if race.Enabled {
		rounds = 50_000
	}
	for range rounds {
		b = strconv.AppendUint(b[:0], rng.Uint64()>>rng.IntN(64), 10)
		if rng.IntN(4) > 0 {
			b = append(b, '.')
			for range 1 + rng.IntN(25) {
				b = append(b, '0'+byte(rng.IntN(10)))
			}
		}
		want, err := strconv.ParseFloat(string(b), 64)
		if err != nil {
			t.Fatal(err)
		}
		b = append(append(b, ','), b...)
		check(b, want)
	}
}
