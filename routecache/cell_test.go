package routecache_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/routecache"
)

func TestCellValid(t *testing.T) {
	tests := []struct {
		name string
		cell routecache.Cell
		want bool
	}{
		{"San Francisco, resolution 9", 0x89283082a53ffff, true},
		{"coarsest", 0x8029fffffffffff, true},
		{"finest", 0x8f2830828052d25, true},
		{"last base cell", 0x80f3fffffffffff, true},
		{"pentagon", 0x8009fffffffffff, true},
		{"finest pentagon, all digits zero", 0x8f0800000000000, true},
		{"child 0 of a pentagon", 0x81083ffffffffff, true},
		{"H7 child 1 of a pentagon, which is deleted", 0x81087ffffffffff, false},
		{"child 2 of a pentagon", 0x8108bffffffffff, true},
		{"child 1 of a hexagon", 0x81287ffffffffff, true},
		{"H5 zero, the cell of a failed snap", 0, false},
		{"H7 all ones", 0xffffffffffffffff, false},
		{"H7 digit 7 within the resolution", 0x89283082a7fffff, false},
		{"H7 digit beyond the resolution", 0x89283082a53fffe, false},
		{"base cell 122", 0x80f5fffffffffff, false},
		{"base cell 127", 0x80fffffffffffff, false},
		{"reserved top bit", 0x889283082a53ffff, false},
		{"mode of a directed edge", 0x1159283082a53fff, false},
		{"mode 0", 0x089283082a53fff, false},
		{"reserved bits", 0x9892830828a53ff, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, tt.cell.Valid())
		})
	}
}

func TestCellString(t *testing.T) {
	assert.Equal(t, "89283082a53ffff", routecache.Cell(0x89283082a53ffff).String())
	assert.Equal(t, "0", routecache.Cell(0).String())
}

func TestParseCell(t *testing.T) {
	good := []struct{ name, text string }{
		{"canonical", "89283082a53ffff"},
		{"H7 upper case", "89283082A53FFFF"},
		{"H7 0x", "0x89283082a53ffff"},
		{"H7 0X and mixed case", "0X89283082a53FFFF"},
		{"H7 leading zero", "089283082a53ffff"},
	}
	for _, tt := range good {
		t.Run(tt.name, func(t *testing.T) {
			c, err := routecache.ParseCell(tt.text)
			require.NoError(t, err)
			assert.Equal(t, routecache.Cell(0x89283082a53ffff), c)
			assert.Equal(t, "89283082a53ffff", c.String(), "one cell has one spelling in keys")
			assert.Equal(t, 9, c.Resolution())
		})
	}
	bad := []struct{ name, text, reason string }{
		{"H7 empty", "", "not hex"},
		{"H7 only 0x", "0x", "not hex"},
		{"H7 letters", "zz", "not hex"},
		{"0x twice", "0x0x89283082a53ffff", "not hex"},
		{"sign", "+89283082a53ffff", "not hex"},
		{"underscore", "8928_3082a53ffff", "not hex"},
		{"space", " 89283082a53ffff", "not hex"},
		{"end of line", "89283082a53ffff\n", "not hex"},
		{"17 digits", "0089283082a53ffff", "not hex"},
		{"overflow", "ffffffffffffffff0", "not hex"},
		{"H7 all ones", "ffffffffffffffff", "not a valid"},
		{"H7 wrong tail", "89283082a53fff0", "not a valid"},
		{"H7 cut short", "89283082a53fff", "not a valid"},
		{"decimal", "617700169958293503", "not hex"},
		{"H5 zero", "0", "not a valid"},
	}
	for _, tt := range bad {
		t.Run(tt.name, func(t *testing.T) {
			c, err := routecache.ParseCell(tt.text)
			assert.Zero(t, c)
			var cellErr *routecache.CellError
			require.ErrorAs(t, err, &cellErr)
			assert.Equal(t, tt.text, cellErr.Text)
			assert.Contains(t, err.Error(), tt.reason)
		})
	}
	t.Run("long text is cut in the message", func(t *testing.T) {
		_, err := routecache.ParseCell(strings.Repeat("x", 10_000))
		assert.Less(t, len(err.Error()), 120)
	})
}

func BenchmarkCellValid(b *testing.B) {
	c := routecache.Cell(0x89283082a53ffff)
	for b.Loop() {
		if !c.Valid() {
			b.Fatal(c)
		}
	}
}
