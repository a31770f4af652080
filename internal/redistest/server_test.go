package redistest_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
)

func TestStartServer(t *testing.T) {
	t.Parallel()
	s := redistest.StartServer(t, redistest.ServerConfig{
		Password: "sesame",
		Config:   []string{"user ann on >secret ~* +get"},
	})
	_, err := s.Do("CLUSTER", "INFO")
	require.ErrorContains(t, err, "cluster support disabled")

	_, err = s.Do("SET", "key", "value")
	require.NoError(t, err)
	values, err := s.Pipeline(t.Context(),
		[]string{"AUTH", "ann", "secret"},
		[]string{"GET", "key"},
		[]string{"DEL", "key"},
		[]string{"AUTH", "default", "sesame"},
	)
	require.NoError(t, err)
	assert.NoError(t, values[0].Err())
	assert.Equal(t, "value", values[1].Text)
	assert.ErrorContains(t, values[2].Err(), "NOPERM")
	assert.NoError(t, values[3].Err())
}

func TestServerCounts(t *testing.T) {
	t.Parallel()
	s := redistest.StartServer(t, redistest.ServerConfig{})
	require.NoError(t, s.ResetStats())
	for _, command := range [][]string{{"SET", "key", "value"}, {"GET", "key"}, {"GET", "key"}, {"INCR", "key"}, {"GET"}} {
		_, _ = s.Do(command...)
	}
	stats, err := s.CommandStats()
	require.NoError(t, err)
	assert.EqualValues(t, 1, stats["set"].Calls)
	assert.EqualValues(t, 2, stats["get"].Calls)
	assert.EqualValues(t, 1, stats["get"].Rejected, "a GET without a key")
	assert.EqualValues(t, 1, stats["incr"].Failed, "INCR of a text")
	assert.Positive(t, stats["get"].Time)
	assert.NotContains(t, stats, "mget")

	cpu, err := s.UsedCPU()
	require.NoError(t, err)
	assert.Positive(t, cpu)
}

func TestServerRestartKeepsItsAddress(t *testing.T) {
	t.Parallel()
	s := redistest.StartServer(t, redistest.ServerConfig{})
	_, err := s.Do("SET", "key", "value")
	require.NoError(t, err)
	first := s.PID()
	require.ErrorContains(t, s.Restart(t.Context()), "still running")

	require.NoError(t, s.Kill())
	require.NoError(t, s.Kill(), "a second time is no error")
	assert.Zero(t, s.PID())
	assert.False(t, s.Live())
	_, err = s.Do("PING")
	require.ErrorContains(t, err, "refused")

	require.NoError(t, s.Restart(t.Context()))
	assert.NotEqual(t, first, s.PID())
	assert.True(t, s.Live())
	value, err := s.Do("GET", "key")
	require.NoError(t, err)
	assert.True(t, value.IsNull(), "a restarted server is empty")
}

func TestServerFreeze(t *testing.T) {
	t.Parallel()
	s := redistest.StartServer(t, redistest.ServerConfig{})
	_, err := s.Do("PING")
	require.NoError(t, err)
	require.NoError(t, s.Freeze())
	assert.False(t, s.Live())

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = s.DoContext(ctx, "PING")
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)

	require.NoError(t, s.Thaw())
	assert.True(t, s.Live())
	_, err = s.Do("PING")
	require.NoError(t, err)
}

func TestServerKillWhileFrozen(t *testing.T) {
	t.Parallel()
	s := redistest.StartServer(t, redistest.ServerConfig{})
	require.NoError(t, s.Freeze())
	require.NoError(t, s.Kill())
	require.Error(t, s.Thaw(), "there is no process to thaw")
	require.NoError(t, s.Restart(t.Context()))
	_, err := s.Do("PING")
	require.NoError(t, err)
}
