package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCodec(t *testing.T) {
	r := decode[codecResult](t, "codec", "-values", "200", "-rounds", "1", "-passes", "5")
	require.Len(t, r.Codecs, 3)
	csv, object, array := r.Codecs[0], r.Codecs[1], r.Codecs[2]
	assert.Zero(t, csv.DecodeAllocs)
	assert.Zero(t, csv.EncodeAllocs)
	assert.Positive(t, object.DecodeAllocs)
	assert.InDelta(t, 2, array.Bytes-csv.Bytes, 1e-9, "an array has two brackets more")
	assert.InDelta(t, len(`{"seconds":,"metres":}`)-1, object.Bytes-csv.Bytes, 1e-9, "an object has braces and names more")
	assert.Contains(t, ok(t, "codec", "-values", "10", "-rounds", "1", "-passes", "1"), csv.Example)
}
