package routecache_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/routecache"
)

// Five equal ranges and four seats each were worked out by hand before the first line of code. Fixed format: anchors that
// change empty every user's cache.
func TestWalkFixedExample(t *testing.T) {
	a, err := routecache.WalkFixed(5, template(t, "routing:v1:%d"), 4)
	require.NoError(t, err)
	assert.Equal(t, 28, a.Tried)
	assert.Equal(t, 8, a.Skipped)
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 23, 27}, a.Integers())
	assert.Equal(t, []int{4, 4, 4, 4, 4}, a.Seats)
	for _, x := range a.List {
		assert.Equal(t, template(t, "routing:v1:%d").Slot(x.N), x.Slot)
		assert.Equal(t, int(x.Slot)*5/16384, int(x.Shard))
	}
}

// template parses s, which is good.
func template(t testing.TB, s string) routecache.Template {
	t.Helper()
	tmpl, err := routecache.ParseTemplate(s)
	require.NoError(t, err)
	return tmpl
}
