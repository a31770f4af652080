package routecache_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/slotcast/slotcast/routecache"
)

// FuzzParseEstimate holds the reader to strconv: what it takes, strconv takes with the same bits; and it takes all that is
// two plain decimals.
func FuzzParseEstimate(f *testing.F) {
	for _, s := range []string{"412.3,5120.7", "0,0", "1,", ",", "52,5,13,4", "5.6e-05,1", "NaN,Inf", "01,1", "9007199254740993,0.30000000000000004"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := routecache.ParseEstimate(b)
		seconds, metres, _ := strings.Cut(string(b), ",")
		s, okS := plainDecimal(seconds)
		m, okM := plainDecimal(metres)
		if want := okS && okM && len(b) <= 700; want != (err == nil) {
			t.Fatalf("%q: %v, want taken: %v", b, err, want)
		}
		if err == nil && (e.Seconds != s || e.Metres != m) {
			t.Fatalf("%q: %v, want %v, %v", b, e, s, m)
		}
	})
}

// plainDecimal reads JSON's number without sign and exponent the slow way.
func plainDecimal(s string) (float64, bool) {
	whole, places, point := strings.Cut(s, ".")
	for _, digits := range []string{whole, places} {
		if strings.Trim(digits, "0123456789") != "" {
			return 0, false
		}
	}
	if whole == "" || len(whole) > 1 && whole[0] == '0' || point && places == "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0)
}
