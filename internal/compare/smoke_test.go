package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
)

func needServer(t *testing.T) {
	t.Helper()
	redistest.StartServer(t, redistest.ServerConfig{}) // skips, or fails where servers are required
}

// TestEveryContender has each contender answer and store, and checks what it answers and stores: see runner.prove.
func TestEveryContender(t *testing.T) {
	needServer(t)
	base := cell{Pairs: 100, Primaries: 3, Tags: 1, Hits: 80, Concurrent: 1}
	many := base
	many.Tags, many.Concurrent, many.Built, many.Cancel = 64, 3, true, true
	none := base
	none.Hits = 0
	want := map[cell]float64{base: 1, many: 0, none: 1} // commands per primary of contenders with tags, if known
	p := plan{cells: []cell{base, many, none}, rounds: 2, turn: 2 * time.Millisecond, seed: 1}
	var done []measured
	err := run(context.Background(), p, io.Discard, func(m measured) error {
		done = append(done, m)
		return nil
	})
	require.NoError(t, err)
	require.Len(t, done, 3)
	for _, m := range done {
		t.Run(m.cell.String(), func(t *testing.T) {
			require.Len(t, m.results, 15)
			for _, r := range m.results {
				assert.Positive(t, r.P50, r.label())
				assert.GreaterOrEqual(t, r.P99, r.P50, r.label())
				assert.Positive(t, r.ClientCPU, r.label())
				assert.Positive(t, r.BytesRead, r.label())
				if r.Name == "Set, MaxSetKeys 1" {
					assert.InDelta(t, float64(m.cell.Pairs)/3, r.Commands, 0.5, r.label())
				} else if c := want[m.cell]; r.Tagged && c > 0 {
					assert.Equal(t, c, r.Commands, r.label())
				}
			}
			for _, op := range []string{"get", "set"} {
				limit, ours := m.results.of("limit", op), m.results.of("slotcast", op)
				assert.Equal(t, limit.BytesWritten, ours.BytesWritten, "the limit writes what slotcast writes")
				assert.Equal(t, limit.BytesRead, ours.BytesRead, "the limit reads what slotcast reads")
				assert.Equal(t, limit.Writes, ours.Writes)
			}
			assertTables(t, m)
		})
	}
	assert.NotEmpty(t, done[0].machine.Versions["go-redis"])
	assert.NotEmpty(t, done[0].machine.Versions["rueidis"])
	assert.NotEmpty(t, done[0].machine.Versions["radix"])
}

// assertTables checks that nothing gets lost on the way to the reader.
func assertTables(t *testing.T, m measured) {
	t.Helper()
	var text, markdown, verdict, lines bytes.Buffer
	require.NoError(t, writeTable(&text, m.cell, m.results))
	require.NoError(t, writeMarkdown(&markdown, m.cell, m.results))
	writeVerdict(&verdict, m.results)
	require.NoError(t, writeJSON(&lines, time.Now(), m.machine, m.cell, m.results))
	for _, r := range m.results {
		assert.Contains(t, text.String(), r.label())
		assert.Contains(t, markdown.String(), r.label())
	}
	for row := range strings.Lines(markdown.String()) {
		if strings.HasPrefix(row, "|") {
			assert.Equal(t, len(columns)+2, strings.Count(row, "|"), row)
		}
	}
	assert.Contains(t, verdict.String(), "× the limit")
	dec := json.NewDecoder(&lines)
	for range m.results {
		var l map[string]any
		require.NoError(t, dec.Decode(&l))
		for _, name := range []string{"date", "cpu", "go", "server", "versions", "pairs", "client", "op", "p50_us", "client_cpu_us"} {
			assert.Contains(t, l, name)
		}
	}
}

// TestWrongAnswersAreNoticed puts one wrong word into what has to be answered, and into what has to be stored.
func TestWrongAnswersAreNoticed(t *testing.T) {
	needServer(t)
	ctx := context.Background()
	cluster := redistest.Start(t, redistest.Config{})
	c := cell{Pairs: 100, Primaries: 3, Tags: 1, Hits: 80, Concurrent: 1}
	s, err := newScene(ctx, cluster, c, 1, nil)
	require.NoError(t, err)
	t.Cleanup(s.close)
	runnerOf := func(name string) *runner {
		i := slices.IndexFunc(s.contenders, func(c *contender) bool { return c.String() == name })
		require.GreaterOrEqual(t, i, 0, name)
		r, err := newRunner(s, s.contenders[i])
		require.NoError(t, err)
		return r
	}
	t.Run("an answer", func(t *testing.T) {
		r := runnerOf("go-redis pipeline of MGET")
		require.NoError(t, r.prove(ctx))
		s.get.want[7].Seconds++
		require.ErrorContains(t, r.prove(ctx), "pair 7")
	})
	t.Run("a stored value", func(t *testing.T) {
		r := runnerOf("limit of Set") // its bytes do not follow
		require.NoError(t, r.prove(ctx))
		s.set.estimates[7].Seconds++
		require.ErrorContains(t, r.prove(ctx), "value of")
	})
	t.Run("a store that did not happen", func(t *testing.T) {
		r := runnerOf("slotcast Set")
		r.workers[0].batch = runnerOf("slotcast Get").workers[0].batch
		require.ErrorContains(t, r.prove(ctx), "value of")
	})
}
