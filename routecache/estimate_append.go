package routecache

import (
	"encoding/binary"
	"slices"
	"strconv"
)

// AppendEstimate appends e as it is stored, <seconds>,<metres>, to dst and returns it. Each number is the shortest decimal
// that reads back as the same float64, never with an exponent; minus zero is 0. An estimate that Check refuses is
// refused with its error, and dst comes back as it was.
//
// Fixed format: changing it empties every user's cache.
func AppendEstimate(dst []byte, e Estimate) ([]byte, error) {
	if err := e.Check(); err != nil {
		return dst, err
	}
	return appendEstimate(dst, e), nil
}

// appendEstimate is AppendEstimate of an estimate that was checked.
func appendEstimate(dst []byte, e Estimate) []byte {
	dst = appendDecimal(dst, e.Seconds)
	dst = append(dst, ',')
	return appendDecimal(dst, e.Metres)
}

// appendEstimateBulk appends a checked estimate as a RESP bulk string to dst and returns it.
func appendEstimateBulk(dst []byte, e Estimate) []byte {
	start := len(dst)
	dst = slices.Grow(dst, bulkRoom)
	if size := putTenths((*[bulkRoom]byte)(dst[start:start+bulkRoom]), e); size > 0 {
		return dst[:start+size]
	}
	dst = append(dst, "$12\r\n"...)
	header := len(dst)
	dst = appendEstimate(dst, e)
	return append(fixHeader(dst, start, len(dst)-header), "\r\n"...)
}

// fixHeader puts the header of a bulk string of n bytes, the last of dst, where one for two digits was left at start.
func fixHeader(dst []byte, start, n int) []byte {
	const header = len("$12\r\n")
	var digits [20]byte
	length := strconv.AppendInt(digits[:0], int64(n), 10)
	if len(length) > 2 {
		dst = append(dst, length[2:]...) // room for as much more
	}
	copy(dst[start+header+len(length)-2:], dst[start+header:start+header+n])
	copy(dst[start+1:], length)
	copy(dst[start+1+len(length):], "\r\n")
	return dst[:start+header+len(length)-2+n]
}

// appendDecimal appends v, finite and not negative, as strconv.AppendFloat(dst, v, 'f', -1, 64) does, only sooner: almost
// every estimate is a whole number of tenths, or thousandths.
//
// Decimals of up to 15 significant digits name different float64s, so if k/10^e with k < 10^15 is v exactly as the
// division rounds, it is the one such decimal that reads back as v, and the shortest once its zeros are stripped. The
// division is exact to the last bit because k and 10^e are float64s themselves; the product before it need only be near.
func appendDecimal(dst []byte, v float64) []byte {
	if k, ok := inTenths(v); ok {
		chars, n := tenthsText(k)
		return binary.LittleEndian.AppendUint64(dst, chars)[:len(dst)+int(n)]
	}
	const most = 1e15
	if v < most/1000 {
		if k := uint64(v); float64(k) == v {
			return strconv.AppendUint(dst, k, 10)
		}
		places := 3
		if k := uint64(v*1000 + 0.5); float64(k)/1000 == v {
			for ; k%10 == 0; places-- {
				k /= 10
			}
			return appendFixed(dst, k, places)
		}
	}
	return strconv.AppendFloat(dst, v, 'f', -1, 64)
}

// appendFixed appends k/10^places with all of its places.
func appendFixed(dst []byte, k uint64, places int) []byte {
	unit := uint64(pow10[places])
	dst = strconv.AppendUint(dst, k/unit, 10)
	point := len(dst)
	dst = strconv.AppendUint(dst, unit+k%unit, 10) // the places behind a 1
	dst[point] = '.'
	return dst
}
