package routecache

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTenthsText(t *testing.T) {
	for k := range 1_000_000 {
		want := strconv.Itoa(k / 10)
		if k%10 > 0 {
			want += fmt.Sprintf(".%d", k%10)
		}
		got, ok := inTenths(float64(k) / 10)
		require.True(t, ok)
		require.Equal(t, uint32(k), got)
		chars, n := tenthsText(got)
		if text := string(binary.LittleEndian.AppendUint64(nil, chars)[:n]); text != want {
			t.Fatalf("%d tenths are %q", k, text)
		}
		require.Zero(t, chars>>(8*n), "%d: the rest of the word is empty", k)
	}
	for _, v := range []float64{
		1e5, 1e5 + 0.1, 0.05, 0.15, 1.25, 99_999.95, 429_496_729.6, 1e18, 1e300, -0.1, -1, -0.04, -429_496_729.5,
		math.Inf(1), math.Inf(-1), math.NaN(), math.Nextafter(0.3, 1), math.Nextafter(412.3, 0),
	} {
		_, ok := inTenths(v)
		require.False(t, ok, "%v", v)
	}
}

func TestPutTenths(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	number := func() float64 { return float64(rng.IntN(int(math.Pow10(1+rng.IntN(6))))) / 10 }
	taken := map[int]bool{}
	for range 200_000 {
		e := Estimate{Seconds: number(), Metres: number()}
		value := fmt.Sprintf("%v,%v", e.Seconds, e.Metres)
		var b [bulkRoom]byte
		if n := putTenths(&b, e); n > 0 {
			taken[len(value)] = true
			require.Equal(t, fmt.Sprintf("$%d\r\n%s\r\n", len(value), value), string(b[:n]))
		} else {
			require.Less(t, len(value), 10)
		}
	}
	for n := 10; n <= 15; n++ {
		require.True(t, taken[n], "%d characters", n)
	}
}
