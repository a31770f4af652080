package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestShelf(t *testing.T) {
	s := newShelf[string](10 * time.Minute)
	for _, ask := range []struct {
		key   string
		truth float64
		at    time.Duration
	}{
		{"a", 100, 0},               // a miss
		{"a", 110, 1 * time.Minute}, // 10 s off, 9.09 %
		{"b", 10, 2 * time.Minute},  // a miss
		{"b", 13, 3 * time.Minute},  // 3 s off, 10 % of half a minute
		{"a", 90, 10 * time.Minute}, // the entry is too old: a miss
		{"a", 90, 11 * time.Minute}, // exact
	} {
		s.ask(ask.key, ask.truth, ask.at)
	}
	got := s.setting("x", 9)
	assert.Equal(t, 0.5, got.HitRate)
	assert.Equal(t, 2, got.Keys)
	assert.InDelta(t, 13.0/3, got.MeanSeconds, 1e-6)
	assert.InDelta(t, 10, got.P95Seconds, 1e-6)
	assert.InDelta(t, (1000.0/110+10)/3, got.MeanPercent, 1e-5)
	assert.InDelta(t, 10, got.P95Percent, 1e-5)
}

func TestResolution(t *testing.T) {
	args := []string{"resolution", "-couriers", "40", "-from", "7", "-to", "11"}
	r := decode[dialResult](t, args...)
	require.Len(t, r.Settings, 6)
	assert.True(t, r.Settings[0].raw())
	for i := 2; i < len(r.Settings); i++ {
		coarse, fine := r.Settings[i-1], r.Settings[i]
		assert.Equal(t, coarse.Resolution+1, fine.Resolution)
		assert.Greater(t, coarse.HitRate, fine.HitRate)
		assert.Greater(t, coarse.MeanSeconds, fine.MeanSeconds)
		assert.Less(t, coarse.Keys, fine.Keys)
		assert.Less(t, fine.MeanSeconds, fine.P95Seconds)
	}
	assert.Less(t, r.Settings[0].HitRate, r.Settings[5].HitRate)
	assert.Equal(t, r, decode[dialResult](t, args...), "the same seed")
	assert.NotEqual(t, r, decode[dialResult](t, append(args, "-seed", "2")...))
	assert.Contains(t, ok(t, args...), "raw coordinates")
}

func TestPlainDuration(t *testing.T) {
	for text, d := range map[string]time.Duration{"30m": 30 * time.Minute, "1h": time.Hour, "1h30m": 90 * time.Minute, "1m30s": 90 * time.Second} {
		assert.Equal(t, text, plain(d))
	}
}
