package routecache_test

import (
	"fmt"
	"testing"

	"github.com/slotcast/slotcast/routecache"
)

func BenchmarkNewTable(b *testing.B) {
	for _, n := range []int{3, 12, 100, 1000, 60_000} {
		b.Run(fmt.Sprintf("anchors=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			integers := upTo(n)
			for b.Loop() {
				if _, err := routecache.NewTable(integers); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTableOf(b *testing.B) {
	table, err := routecache.NewTable(upTo(12))
	if err != nil {
		b.Fatal(err)
	}
	p := routecache.Pair{Origin: 0x89283082a53ffff, Dest: 0x89283082803ffff}
	sum := 0
	for b.Loop() {
		p.Dest += 1 << 20
		sum += table.Of(p, 9)
	}
	if sum == 0 {
		b.Fatal("every pair has anchor 0")
	}
}

// upTo returns 0 to n-1.
func upTo(n int) []int {
	ns := make([]int, n)
	for i := range ns {
		ns[i] = i
	}
	return ns
}
