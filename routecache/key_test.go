package routecache_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/slotcast/slotcast/internal/race"
	"github.com/slotcast/slotcast/routecache"
)

// Fixed format: changing it empties every user's cache.
func TestKeyGolden(t *testing.T) {
	tests := []struct {
		template   string
		n          int
		resolution int
		pair       routecache.Pair
		want       string
	}{
		{"routing:v1:%d", 17, 9, routecache.Pair{Origin: 0x89283082a53ffff, Dest: 0x892830828efffff},
			"$48\r\n{routing:v1:17}89283082a53ffff:892830828efffff:9\r\n"},
		{"routing:v1:%d", 0, 9, routecache.Pair{Origin: 0x892830828efffff, Dest: 0x89283082a53ffff},
			"$47\r\n{routing:v1:0}892830828efffff:89283082a53ffff:9\r\n"},
		{"routing:v1:%d", 1234567, 15, routecache.Pair{Origin: 0x8f2830828052d25, Dest: 0x8f283082a30e623},
			"$54\r\n{routing:v1:1234567}8f2830828052d25:8f283082a30e623:15\r\n"},
		{"%d", 5, 0, routecache.Pair{Origin: 0x8029fffffffffff, Dest: 0x80f3fffffffffff},
			"$36\r\n{5}8029fffffffffff:80f3fffffffffff:0\r\n"},
		{"eta-%d-car", 12, 10, routecache.Pair{Origin: 0x8a0123456789abc, Dest: 0x8afedcba9876543},
			"$46\r\n{eta-12-car}8a0123456789abc:8afedcba9876543:10\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.want[5:len(tt.want)-2], func(t *testing.T) {
			e := routecache.NewKeyEncoder(template(t, tt.template), tt.n, tt.resolution)
			assert.Equal(t, "+"+tt.want, string(e.AppendBulk([]byte("+"), tt.pair)))
			key := tt.want[5 : len(tt.want)-2]
			assert.Equal(t, "+"+key, string(e.AppendKey([]byte("+"), tt.pair)))
			assert.Equal(t, len(key), e.Len())
		})
	}
}

func TestKeyAsPrintf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		n, resolution := rng.IntN(1000), rng.IntN(16)
		// Every index of mode 1 has 15 digits. Those that are not used are 7.
		cell := func() routecache.Cell {
			unused := uint64(1)<<(3*(15-resolution)) - 1
			return routecache.Cell(8<<56 | uint64(resolution)<<52 | rng.Uint64()>>12 | unused)
		}
		p := routecache.Pair{Origin: cell(), Dest: cell()}
		want := fmt.Sprintf("{routing:v1:%d}%x:%x:%d", n, uint64(p.Origin), uint64(p.Dest), resolution)
		e := routecache.NewKeyEncoder(template(t, routecache.DefaultTemplate), n, resolution)
		if got := string(e.AppendKey(nil, p)); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
		if got := string(e.AppendBulk(nil, p)); got != fmt.Sprintf("$%d\r\n%s\r\n", len(want), want) {
			t.Fatalf("got %q, want %s", got, want)
		}
	}
}

// The encoder's frame is shared: no key may leave a trace in it.
func TestKeyEncoderIsNotModified(t *testing.T) {
	e := routecache.NewKeyEncoder(template(t, routecache.DefaultTemplate), 17, 9)
	p := routecache.Pair{Origin: 0x89283082a53ffff, Dest: 0x89283082803ffff}
	first := e.AppendKey(nil, p)
	e.AppendBulk(nil, routecache.Pair{Origin: 0x891f1d48947ffff, Dest: 0x891f1d48b67ffff})
	assert.Equal(t, string(first), string(e.AppendKey(nil, p)))
	assert.Equal(t, "{routing:v1:17}89283082a53ffff:89283082803ffff:9", string(first))
}

func TestKeyAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	e := routecache.NewKeyEncoder(template(t, routecache.DefaultTemplate), 17, 9)
	p := routecache.Pair{Origin: 0x89283082a53ffff, Dest: 0x892830828efffff}
	dst := make([]byte, 0, 256)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		dst = e.AppendBulk(dst[:0], p)
		dst = e.AppendKey(dst, p)
	}))
}

func BenchmarkKey(b *testing.B) {
	e := routecache.NewKeyEncoder(template(b, routecache.DefaultTemplate), 17, 9)
	p := routecache.Pair{Origin: 0x89283082a53ffff, Dest: 0x892830828efffff}
	var dst [128]byte
	b.SetBytes(int64(e.Len()))
	for b.Loop() {
		p.Dest += 1 << 18
		if n := len(e.AppendBulk(dst[:0], p)); n != e.Len()+7 {
			b.Fatal(n)
		}
	}
}
