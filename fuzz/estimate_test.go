package fuzz_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/slotcast/slotcast/routecache"
)

// estimate is what a stored value looks like: two numbers as in JSON, without sign and exponent.
var estimate = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?,(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// FuzzParseEstimate reads any bytes as a stored value.
//
//   - What looks like an estimate, has numbers that a float64 can hold, and is not longer than 700 bytes is taken, and
//     nothing else.
//   - The numbers are those of strconv, bit for bit.
//   - What was taken can be written and read again, with the same bits.
//   - The bytes are not modified.
func FuzzParseEstimate(f *testing.F) {
	for _, v := range []string{
		"412.3,5120.7", "60,1000", "0,0.0", "412.300,5120.70", "0.000000000000000001,9223372036854775807",
		"0.30000000000000004441,12345678901234567890123", "9007199254740993,9007199254740993.0000000000001",
		"0." + strings.Repeat("0", 340) + "1,1", "1" + strings.Repeat("0", 309) + ",1", "1,1" + strings.Repeat("0", 308),
		"", "412.3", ",5120.7", "412.3,", ",", "52,5,13,4", "412.3,5120.7,", "412.3;5120.7", "412.3,5120.7\r\n", "\ufeff412.3,5120.7",
		`"412.3","5120.7"`, "NaN,1", "1,nan", "Inf,1", "1,infinity", "5.6e-05,1", "1,1E3", "0x10,1", "0x1p-2,1", "1_000,1", "+1,1", "-1,1",
		"-0,1", " 1,1", "1,1 ", "1, 1", ".,1", ".5,1", "5.,1", "1,5.", "1.2.3,1", "01,1", "1,00.5", "1,1\x00", "١,١", "1/,1", "1:,1",
		"1,0." + strings.Repeat("1", 696), "1,0." + strings.Repeat("1", 697),
	} {
		f.Add([]byte(v))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := string(b)
		got, err := routecache.ParseEstimate(b)
		seconds, metres, _ := strings.Cut(s, ",")
		want := routecache.Estimate{}
		var bad, worse error
		want.Seconds, bad = strconv.ParseFloat(seconds, 64)
		want.Metres, worse = strconv.ParseFloat(metres, 64)
		taken := estimate.MatchString(s) && len(s) <= 700 && bad == nil && worse == nil
		if taken != (err == nil) {
			t.Fatalf("%q: %v, want taken: %v", s, err, taken)
		}
		if string(b) != s {
			t.Fatalf("%q was made %q", s, b)
		}
		if err != nil {
			if err != routecache.ErrCorrupt || got != (routecache.Estimate{}) {
				t.Fatalf("%q: %v, %v", s, got, err)
			}
			return
		}
		if !identical(got, want) {
			t.Fatalf("%q: %v, want %v", s, got, want)
		}
		b, err = routecache.AppendEstimate(nil, got)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := routecache.ParseEstimate(b); err != nil || !identical(again, got) {
			t.Fatalf("%q is %v, written %q, is %v, %v", s, got, b, again, err)
		}
	})
}

// FuzzAppendEstimate writes any two numbers.
//
//   - Finite ones of zero or more are written as strconv writes them in the shortest form without exponent, and minus zero
//     as 0; others are refused, and the slice comes back as it was.
//   - What is written is read back with the same bits, and takes no more than 700 bytes.
func FuzzAppendEstimate(f *testing.F) {
	for _, v := range [][2]float64{
		{412.3, 5120.7}, {60, 1000}, {0, math.Copysign(0, -1)}, {0.5, 0.001}, {1.25, 100.01}, {412.345, 5120.007},
		{0.30000000000000004, 1.0 / 3}, {0.000056, 9e-06}, {1e21, 123456789e15}, {1 << 53, 1<<53 + 2}, {math.NaN(), 1}, {1, math.Inf(1)},
		{math.Inf(-1), 0}, {-0.1, 1}, {1, -math.SmallestNonzeroFloat64}, {math.MaxFloat64, math.SmallestNonzeroFloat64},
		{math.Float64frombits(0x0010000000000001), 1e15}, {999999999999.999, 1e12 - 0.0005},
	} {
		f.Add(v[0], v[1])
	}
	f.Fuzz(func(t *testing.T, seconds, metres float64) {
		e := routecache.Estimate{Seconds: seconds, Metres: metres}
		got, err := routecache.AppendEstimate([]byte("+"), e)
		if !(seconds >= 0 && seconds <= math.MaxFloat64 && metres >= 0 && metres <= math.MaxFloat64) {
			if err == nil || e.Check() == nil || string(got) != "+" {
				t.Fatalf("%v is written %q", e, got)
			}
			return
		}
		e = routecache.Estimate{Seconds: seconds + 0, Metres: metres + 0} // -0 + 0 is 0
		want := strconv.FormatFloat(e.Seconds, 'f', -1, 64) + "," + strconv.FormatFloat(e.Metres, 'f', -1, 64)
		if err != nil || e.Check() != nil || string(got) != "+"+want {
			t.Fatalf("%v is written %q, %v, want %q", e, got, err, want)
		}
		if back, err := routecache.ParseEstimate(got[1:]); err != nil || !identical(back, e) {
			t.Fatalf("%v, written %q, is %v, %v", e, got, back, err)
		}
	})
}

func identical(a, b routecache.Estimate) bool {
	return math.Float64bits(a.Seconds) == math.Float64bits(b.Seconds) && math.Float64bits(a.Metres) == math.Float64bits(b.Metres)
}
