package routecache

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shortPaths are the functions that read some values sooner than parseAny.
var shortPaths = []struct {
	name  string
	parse func([]byte) (Estimate, bool)
}{
	{"parseShort", parseShort},
	{"parseTenths", func(b []byte) (e Estimate, ok bool) { ok = parseTenths(&e, b); return e, ok }},
}

func TestShortPaths(t *testing.T) {
	for _, tt := range []struct {
		value         string
		short, tenths bool // who takes it
	}{
		{"412.3,5120.7", true, true},
		{"0.5,12345.6", true, false},
		{"1234567,1", true, true},
		{"0,0.0001", true, false},
		{"9.9,99999999", true, false},
		{"12345.6,12345.67", true, false},
		{"1,22222222", true, false},
		{"12345678,1", false, false}, // eight characters and no comma in the word
		{"1,123456789", false, false},
		{"1.5,2.5", false, false}, // seven bytes
		{"01.5,1000", false, false},
		{"1.5,00.75", false, false},
		{"1.,1000.5", false, false},
		{"1.5,1000.", false, false},
		{".5,1000.5", false, false},
		{"1.5,.5000", false, false},
		{"1.2.3,1000", false, false},
		{"1.5,1.2.3.4", false, false},
		{"1.5,1000\r\n", false, false},
		{"1.5,1000,1", false, false},
		{"-1.5,1000", false, false},
		{"1.5,1000e3", false, false},
		{"1.5;1000.5", false, false},
		{",1000.555", false, false},
		{"1000.555,", false, false},
		{"0.0,0.00", true, false},
		{"12345.6,0.1", true, false},
		{"12345.6,12345.6", true, true},
		{"1.0,123456.9", true, true},
		{"9.9,999999.9", true, true},
		{"99999.9,999.9", true, true},
		{"123456.7,1.5", false, false}, // the same
		{"1.5,1234567.8", false, false},
		{"1.55,2.5", true, false},
		{"1.5,2.55", true, false},
		{"12,50.55", true, false},
		{"1005,12.5", true, true},
		{"12.5,1005", true, true},
		{"01.5,1000.5", false, false},
		{"00.5,1000.5", false, false},
		{"1.5,0750.5", false, false},
		{"1.5,.5,10.5", false, false},
		{"1.2.3,100.5", false, false},
		{"1.5,1000.\r", false, false},
		{"-1.5,1000.5", false, false},
		{"1.5,1e3.5", false, false},
		{"1\xca.5,1000.5", false, false},
		{"1.5,10\xff0.5", false, false},
		{"412,5120", true, true},
		{"1234567,1234567", true, true},
		{"12,12345678", true, false},
		{"12345.6,1234567", true, true},
		{"7,123456.7", true, true},
		{"12*3,1000.5", false, false},
		{"12/3,1000.5", false, false},
		{"12.3.1000.5", false, false},
		{"12.3*1000.5", false, false},
		{"12.3,1000*5", false, false},
		{"12.34,100.5", true, false},
		{"12.,1000.55", false, false},
		{"12,,1000.55", false, false},
		{"1.p,1000.55", false, false},
		{"1.5,1000.p", false, false},
		{"12345678", false, false},
		{"1234567,", false, false},
		{"12345.6,", false, false},
		{"123456.7", false, false},
		{"0,1234567", true, false},
		{"123456,0", true, false},
	} {
		for i, taken := range []bool{tt.short, tt.tenths} {
			t.Run(shortPaths[i].name+" "+tt.value, func(t *testing.T) {
				got, ok := shortPaths[i].parse([]byte(tt.value))
				assert.Equal(t, taken, ok)
				if ok {
					want, err := parseAny([]byte(tt.value))
					require.NoError(t, err)
					assert.Equal(t, want, got)
				}
			})
		}
	}
}

// Whatever a short path takes, the long one takes too, and reads alike.
func TestShortPathsTakeNothingElse(t *testing.T) {
	const letters = "0123456789012345678901234567890123456789..,,-+eE/: \x00\x0a\x3a\xca\xfa\xff"
	rng := rand.New(rand.NewPCG(1, 2))
	taken := make([]int, len(shortPaths))
	for range 1_000_000 {
		b := make([]byte, 8+rng.IntN(9))
		for i := range b {
			b[i] = letters[rng.IntN(len(letters)-rng.IntN(2)*18)]
		}
		switch comma := 3 + rng.IntN(len(b)-6); rng.IntN(4) {
		case 0:
			b[rng.IntN(7)] = '.'
			fallthrough
		case 1:
			b[1+rng.IntN(6)] = ','
		case 2:
			b[comma-2], b[comma], b[len(b)-2] = '.', ',', '.'
		}
		for i, path := range shortPaths {
			if got, ok := path.parse(b); ok {
				taken[i]++
				want, err := parseAny(b)
				require.NoError(t, err, "%s %q", path.name, b)
				require.Equal(t, want, got, "%s %q", path.name, b)
			}
		}
	}
	assert.Greater(t, taken[0], 50_000)
	assert.Greater(t, taken[1], 20_000)
}
