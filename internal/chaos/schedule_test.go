package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plan returns the names of the first n faults and a random number of each.
func plan(seed uint64, n int) (names []string, details []uint64) {
	s := newSchedule(seed, allFaults)
	for range n {
		f, rng := s.next()
		names, details = append(names, f.name), append(details, rng.Uint64())
	}
	return names, details
}

func TestSchedule(t *testing.T) {
	names, details := plan(7, 90)
	again, detailsAgain := plan(7, 90)
	assert.Equal(t, names, again)
	assert.Equal(t, details, detailsAgain)
	other, _ := plan(8, 90)
	assert.NotEqual(t, names, other)
	assert.NotEqual(t, names[:9], names[9:18])
	for i := 0; i < len(names); i += len(allFaults) {
		assert.ElementsMatch(t, faultNames(), names[i:i+len(allFaults)], "round at %d", i)
	}
}

func TestCommandLine(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"unknown flag", []string{"-fast"}, "-fast"},
		{"argument", []string{"60s"}, `unexpected argument "60s"`},
		{"no duration", []string{"-duration", "0s"}, "not above zero"},
		{"not a duration", []string{"-duration", "60"}, "60"},
		{"unknown fault", []string{"-faults", "kill,flood"}, `there is no fault "flood"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stderr bytes.Buffer
			assert.Equal(t, 2, run(t.Context(), test.args, io.Discard, &stderr))
			assert.Contains(t, stderr.String(), test.want)
		})
	}
	t.Run("help", func(t *testing.T) {
		var stderr bytes.Buffer
		assert.Equal(t, 0, run(t.Context(), []string{"-h"}, io.Discard, &stderr))
		assert.Contains(t, stderr.String(), "-seed")
	})
	t.Run("defaults", func(t *testing.T) {
		opts, err := parse(nil, io.Discard)
		require.NoError(t, err)
		assert.Len(t, opts.faults, len(allFaults))
		assert.NotZero(t, opts.seed)
		other, err := parse(nil, io.Discard)
		require.NoError(t, err)
		assert.NotEqual(t, opts.seed, other.seed)
	})
	t.Run("a selection", func(t *testing.T) {
		opts, err := parse([]string{"-seed", "3", "-faults", "reset, kill"}, io.Discard)
		require.NoError(t, err)
		require.Len(t, opts.faults, 2)
		assert.Equal(t, "reset", opts.faults[0].name)
		assert.Equal(t, "kill", opts.faults[1].name)
		assert.EqualValues(t, 3, opts.seed)
	})
}

func TestVerdict(t *testing.T) {
	assert.True(t, (&summary{Failed: 9, FailedQuiet: 1, UnplannedFailover: 1}).clean())
	for name, s := range map[string]summary{
		"wrong": {Wrong: 1}, "false misses": {FalseMisses: 1}, "goroutines": {LeakedGoroutines: 1}, "connections": {LeakedConns: 1},
	} {
		assert.False(t, s.clean(), name)
	}
}
