package routecache_test

import (
	"fmt"

	"github.com/slotcast/slotcast/routecache"
)

// Five primaries with equal shares of the slots, four seats each.
func ExampleWalkFixed() {
	t, err := routecache.ParseTemplate("routing:v1:%d")
	if err != nil {
		panic(err)
	}
	anchors, err := routecache.WalkFixed(5, t, 4)
	if err != nil {
		panic(err)
	}
	fmt.Println(anchors.Tried, "tried,", anchors.Skipped, "skipped")
	fmt.Println(anchors.Integers())
	// Output:
	// 28 tried, 8 skipped
	// [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 23 27]
}

func ExampleTable() {
	integers := []int{0, 1, 2}
	table, err := routecache.NewTable(integers)
	if err != nil {
		panic(err)
	}
	t, err := routecache.ParseTemplate(routecache.DefaultTemplate)
	if err != nil {
		panic(err)
	}
	pair := routecache.Pair{Origin: 0x891f1d48947ffff, Dest: 0x891f1d48b67ffff}
	keys := routecache.NewKeyEncoder(t, integers[table.Of(pair, 9)], 9)
	fmt.Printf("%s\n", keys.AppendKey(nil, pair))
	// Output: {routing:v1:0}891f1d48947ffff:891f1d48b67ffff:9
}

func ExampleParseCell() {
	cell, err := routecache.ParseCell("0x891F1D48947FFFF")
	fmt.Println(cell, cell.Resolution(), err)
	_, err = routecache.ParseCell("891f1d48947fff0")
	fmt.Println(err)
	// Output:
	// 891f1d48947ffff 9 <nil>
	// routecache: cell "891f1d48947fff0": not a valid H3 cell
}

func ExampleAppendEstimate() {
	value, err := routecache.AppendEstimate(nil, routecache.Estimate{Seconds: 412.3, Metres: 5120.7})
	fmt.Printf("%s %v\n", value, err)
	estimate, err := routecache.ParseEstimate(value)
	fmt.Println(estimate.Seconds, estimate.Metres, err)
	// Output:
	// 412.3,5120.7 <nil>
	// 412.3 5120.7 <nil>
}
