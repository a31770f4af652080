package routecache

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

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
