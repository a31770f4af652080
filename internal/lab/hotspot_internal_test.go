//go:build cgo

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/uber/h3-go/v4"

	"github.com/slotcast/slotcast/internal/workload"
)

// TestParent compares with the H3 library.
func TestParent(t *testing.T) {
	pairs, _, err := workload.CellPairs(50, resolution, 1)
	require.NoError(t, err)
	for _, p := range pairs {
		for coarse := 0; coarse <= resolution; coarse++ {
			want, err := h3.Cell(p.Origin).Parent(coarse)
			require.NoError(t, err)
			assert.EqualValues(t, want, parent(p.Origin, coarse))
		}
	}
}
