package routecache

import (
	"fmt"
	"math/bits"
	"time"
)

const (
	// MinTTL is the shortest time to live a server counts in; a shorter one, above zero, is rounded up to it.
	MinTTL = time.Millisecond
	// MaxTTL is the longest time to live; a longer one is cut to it. Servers refuse a time whose end overflows their clock,
	// and old ones expired such keys at once (https://github.com/redis/redis/issues/9825).
	MaxTTL = 10 * 365 * 24 * time.Hour
)

// checkTTL returns ttl within [MinTTL, MaxTTL], or a *TTLError if it is zero or negative.
func checkTTL(ttl time.Duration) (time.Duration, error) {
	if ttl <= 0 {
		return 0, &TTLError{TTL: ttl}
	}
	return min(max(ttl, MinTTL), MaxTTL), nil
}

// JitterTTL returns ttl moved by up to spread (0.1 is ten per cent) either way, so that what was written together does not
// expire together. It is a function of seed alone, evenly spread over it; the result is within [MinTTL, MaxTTL], and is
// ttl itself if ttl is not positive. A spread below 0, or NaN, counts as 0, one above 1 as 1.
func JitterTTL(ttl time.Duration, spread float64, seed uint64) time.Duration {
	if ttl <= 0 {
		return ttl
	}
	ttl = min(max(ttl, MinTTL), MaxTTL)
	if !(spread > 0) {
		return ttl
	}
	hi, lo := bits.Mul64(seed^mixOrigin, mixDest)
	hi, lo = bits.Mul64(hi^lo^mixFinish, mixOrigin)
	const one = 1 << 53
	unit := float64((hi^lo)>>11)/(one/2) - 1 // in [-1, 1)
	return min(max(ttl+time.Duration(float64(ttl)*min(spread, 1)*unit), MinTTL), MaxTTL)
}

// TTLError reports a time to live that is zero or negative. Nothing was sent.
type TTLError struct {
	TTL time.Duration
}

func (e *TTLError) Error() string {
	return fmt.Sprintf("routecache: time to live %v is not above zero", e.TTL)
}
