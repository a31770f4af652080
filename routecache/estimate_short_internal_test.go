package routecache

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestShortPath(t *testing.T) {
	for _, tt := range []struct {
		value string
		taken bool
	}{
		{"412.3,5120.7", true},
		{"0.5,12345.6", true},
		{"1234567,1", true},
		{"0,0.0001", true},
		{"9.9,99999999", true},
		{"12345.6,12345.67", true},
		{"1,22222222", true},
		{"12345678,1", false}, // eight characters and no comma in the word
		{"1,123456789", false},
		{"1.5,2.5", false}, // seven bytes
		{"01.5,1000", false},
		{"1.5,00.75", false},
		{"1.,1000.5", false},
		{"1.5,1000.", false},
		{".5,1000.5", false},
		{"1.5,.5000", false},
		{"1.2.3,1000", false},
		{"1.5,1.2.3.4", false},
		{"1.5,1000\r\n", false},
		{"1.5,1000,1", false},
		{"-1.5,1000", false},
		{"1.5,1000e3", false},
		{"1.5;1000.5", false},
		{",1000.555", false},
		{"1000.555,", false},
	} {
		t.Run(tt.value, func(t *testing.T) {
			got, ok := parseShort([]byte(tt.value))
			assert.Equal(t, tt.taken, ok)
			if ok {
				want, err := parseAny([]byte(tt.value))
				require.NoError(t, err)
				assert.Equal(t, want, got)
			}
		})
	}
}

// Whatever the short path takes, the long one takes too, and reads alike.
func TestShortPathTakesNothingElse(t *testing.T) {
	const letters = "0123456789012345678901234567890123456789..,,-+eE \x00\x0a\x3a\xca\xfa\xff"
	rng := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 500_000 {
		b := make([]byte, 8+rng.IntN(9))
		for i := range b {
			b[i] = letters[rng.IntN(len(letters))]
		}
		if rng.IntN(2) == 0 {
			b[rng.IntN(7)] = '.'
			b[1+rng.IntN(6)] = ','
		}
		if got, ok := parseShort(b); ok {
			taken++
			want, err := parseAny(b)
			require.NoError(t, err, "%q", b)
			require.Equal(t, want, got, "%q", b)
		}
	}
	assert.Greater(t, taken, 5_000)
}
