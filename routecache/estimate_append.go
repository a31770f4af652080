package routecache

import "strconv"

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
	const header = len("$12\r\n")
	start := len(dst)
	dst = append(dst, "$12\r\n"...)
	dst = appendEstimate(dst, e)
	if n := len(dst) - start - header; n >= 10 && n <= 99 {
		dst[start+1], dst[start+2] = '0'+byte(n/10), '0'+byte(n%10)
	} else {
		dst = fixHeader(dst, start, n)
	}
	return append(dst, "\r\n"...)
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
// every estimate is a whole number of tenths or thousandths.
//
// Decimals of up to 15 significant digits name different float64s, so if k/10^e with k < 10^15 is v exactly as the
// division rounds, it is the one such decimal that reads back as v, and the shortest once its zeros are stripped. The
// division is exact to the last bit because k and 10^e are float64s themselves; the product before it need only be near.
func appendDecimal(dst []byte, v float64) []byte {
	const most = 1e15
	if v < most/1000 {
		if k := uint64(v); float64(k) == v {
			return appendFixed(dst, k, 0)
		}
		if k := uint64(v*10 + 0.5); float64(k)/10 == v {
			return appendFixed(dst, k, 1)
		}
		if k := uint64(v*1000 + 0.5); float64(k)/1000 == v {
			// k is no multiple of 100, or the test for tenths had found it.
			if k%10 == 0 {
				return appendFixed(dst, k/10, 2)
			}
			return appendFixed(dst, k, 3)
		}
	}
	return strconv.AppendFloat(dst, v, 'f', -1, 64)
}

// appendFixed appends k/10^places, places at most 3, with all of its places.
func appendFixed(dst []byte, k uint64, places int) []byte {
	if k < 1e7 {
		return appendShort(dst, uint32(k), places)
	}
	var b [20]byte
	i := len(b)
	for range places {
		i--
		b[i] = '0' + byte(k%10)
		k /= 10
	}
	if places > 0 {
		i--
		b[i] = '.'
	}
	for {
		i--
		b[i] = '0' + byte(k%10)
		k /= 10
		if k == 0 {
			return append(dst, b[i:]...)
		}
	}
}
