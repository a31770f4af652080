package main

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/routecache"
)

func TestProof(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	mine := routecache.Pair{Origin: randomCell(rng), Dest: randomCell(rng)}
	back := routecache.Pair{Origin: mine.Dest, Dest: mine.Origin}
	require.True(t, mine.Origin.Valid())
	require.Equal(t, resolution, mine.Origin.Resolution())

	for _, version := range []uint64{1, 2, 7, 1000, 1<<50 - 1} {
		stored, err := routecache.AppendEstimate(nil, proof(mine, version))
		require.NoError(t, err)
		read, err := routecache.ParseEstimate(stored)
		require.NoError(t, err)
		got, ok := proven(mine, read)
		assert.True(t, ok)
		assert.Equal(t, version, got)
	}

	own := proof(mine, 41)
	for _, test := range []struct {
		name  string
		value routecache.Estimate
	}{
		{"of another pair", proof(back, 41)},
		{"torn: seconds of another version", routecache.Estimate{Seconds: proof(mine, 40).Seconds, Metres: own.Metres}},
		{"torn: metres of another version", routecache.Estimate{Seconds: own.Seconds, Metres: proof(mine, 40).Metres}},
		{"a digit less", routecache.Estimate{Seconds: own.Seconds, Metres: float64(int64(own.Metres))}},
		{"zero", routecache.Estimate{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, ok := proven(mine, test.value)
			assert.False(t, ok)
		})
	}
}
