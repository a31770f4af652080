package routecache

import (
	"errors"
	"math"
	"strconv"
	"unsafe"
)

// ErrCorrupt is returned, as it is, for a stored value that is not an estimate.
var ErrCorrupt = errors.New("routecache: value is not an estimate")

// maxEstimate bounds a stored value in bytes. The longest that AppendEstimate writes has two numbers of some 330 bytes.
const maxEstimate = 700

// ParseEstimate reads a stored value: two numbers with a comma between them and nothing else. A number is digits, then
// perhaps a point and more digits; a first digit of 0 is followed by the point or the end. So it is JSON's number without
// sign and exponent. Anything else, a number too large for a float64, and a value of more than 700 bytes, is ErrCorrupt.
// Each number is the float64 nearest to the decimal, as strconv.ParseFloat has it. b is not kept, and nothing is
// allocated but for a number that overflows.
func ParseEstimate(b []byte) (Estimate, error) {
	var e Estimate
	if parseTenths(&e, b) {
		return e, nil
	}
	return parseOther(b)
}

// parseOther is ParseEstimate for what parseTenths does not take.
func parseOther(b []byte) (Estimate, error) {
	if e, ok := parseShort(b); ok {
		return e, nil
	}
	return parseAny(b)
}

// parseAny is ParseEstimate for whatever comes.
func parseAny(b []byte) (Estimate, error) {
	if len(b) > maxEstimate {
		return Estimate{}, ErrCorrupt
	}
	seconds, n := parseDecimal(b)
	if n == 0 || n == len(b) || b[n] != ',' {
		return Estimate{}, ErrCorrupt
	}
	b = b[n+1:]
	metres, n := parseDecimal(b)
	if n == 0 || n != len(b) {
		return Estimate{}, ErrCorrupt
	}
	return Estimate{Seconds: seconds, Metres: metres}, nil
}

// pow10 has the powers of ten that are float64s exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
	1e21, 1e22,
}

// parseDecimal reads the number at the start of b and returns it and its length, 0 if there is none.
//
// With all digits below 2^53 and at most 22 of them behind the point, both sides of the division are float64s and its
// result is the nearest one to the decimal (Clinger 1990, the fast path of every reader of floats).
func parseDecimal(b []byte) (v float64, n int) {
	var digits uint64 // wraps silently after 19 digits; they are counted
	point := -1
	i := 0
	for ; i < len(b); i++ {
		c := b[i] - '0'
		if c > 9 {
			if b[i] != '.' || point >= 0 {
				break
			}
			point = i
			continue
		}
		digits = digits*10 + uint64(c)
	}
	whole, places := i, 0
	if point >= 0 {
		whole, places = point, i-point-1
		if places == 0 {
			return 0, 0
		}
	}
	if whole == 0 || whole > 1 && b[0] == '0' {
		return 0, 0
	}
	if whole+places <= 19 && digits < 1<<53 {
		return float64(digits) / pow10[places], i
	}
	return parseLong(b[:i])
}

// parseLong reads a number, known to be well formed, that the fast path cannot.
func parseLong(b []byte) (v float64, n int) {
	// strconv does not keep the string: the error has a copy.
	v, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(b), len(b)), 64)
	if err != nil || v > math.MaxFloat64 {
		return 0, 0
	}
	return v, len(b)
}
