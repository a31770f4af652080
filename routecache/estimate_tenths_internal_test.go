package routecache

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseTenths(t *testing.T) {
	for value, taken := range map[string]bool{
		"412.3,5120.7":    true,
		"0.5,12345.6":     true,
		"0.0,0.00":        false,
		"12345.6,0.1":     true,
		"12345.6,12345.6": true,
		"1.0,123456.9":    true,
		"9.9,999999.9":    true,
		"99999.9,999.9":   true,
		"123456.7,1.5":    false, // eight characters and no comma in the word
		"1.5,1234567.8":   false,
		"1.5,2.5":         false, // seven bytes
		"1.55,2.5":        false,
		"1.5,2.55":        false,
		"12,50.55":        false,
		"1005,12.5":       false,
		"12.5,1005":       false,
		"01.5,1000.5":     false,
		"00.5,1000.5":     false,
		"1.5,0750.5":      false,
		".5,1000.5":       false,
		"1.5,.5,10.5":     false,
		"1.2.3,100.5":     false,
		"1.5,1.2.3.4":     false,
		"1.5,1000.\r":     false,
		"-1.5,1000.5":     false,
		"1.5,1e3.5":       false,
		"1.5;1000.5":      false,
		"1\xca.5,1000.5":  false,
		"1.5,10\xff0.5":   false,
	} {
		t.Run(value, func(t *testing.T) {
			got, ok := parseTenths([]byte(value))
			assert.Equal(t, taken, ok)
			if ok {
				want, err := parseAny([]byte(value))
				require.NoError(t, err)
				assert.Equal(t, want, got)
			}
		})
	}
}

// What is read as tenths is read alike where anything is.
func TestParseTenthsTakesNothingElse(t *testing.T) {
	const letters = "0123456789012345678901234567890123456789..,,-+eE/: \x00\x0a\x3a\xca\xfa\xff"
	rng := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 1_000_000 {
		b := make([]byte, 8+rng.IntN(9))
		for i := range b {
			b[i] = letters[rng.IntN(len(letters)-rng.IntN(2)*18)]
		}
		if rng.IntN(4) > 0 {
			comma := 3 + rng.IntN(len(b)-6)
			b[comma-2], b[comma], b[len(b)-2] = '.', ',', '.'
		}
		if got, ok := parseTenths(b); ok {
			taken++
			want, err := parseAny(b)
			require.NoError(t, err, "%q", b)
			require.Equal(t, want, got, "%q", b)
		}
	}
	assert.Greater(t, taken, 50_000)
}

func TestTenths(t *testing.T) {
	check := func(k int) {
		want := strconv.Itoa(k / 10)
		if k%10 > 0 {
			want += fmt.Sprintf(".%d", k%10)
		}
		chars, n := tenths(float64(k) / 10)
		require.Equal(t, want, string(binary.LittleEndian.AppendUint64(nil, chars)[:n]))
	}
	for k := range 200_000 {
		check(k)
	}
	for k := 200_000; k < 1e7; k += 97 {
		check(k)
	}
	check(1e7 - 1)
	for _, v := range []float64{1e6, 1e6 + 0.1, 0.05, 0.15, 1.25, 999_999.95, 1e18, 1e300, math.Inf(1), math.NaN(), math.Nextafter(0.3, 1), math.Nextafter(412.3, 0)} {
		_, n := tenths(v)
		require.Zero(t, n, "%v", v)
	}
}
