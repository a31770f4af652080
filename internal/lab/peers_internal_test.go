package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goldenPeers are lines as internal/compare writes them.
func goldenPeers(t *testing.T) *peersResult {
	t.Helper()
	f, err := os.Open("testdata/peers.jsonl")
	require.NoError(t, err)
	defer f.Close()
	r, err := readPeers(f)
	require.NoError(t, err)
	return r
}

func TestReadPeers(t *testing.T) {
	r := goldenPeers(t)
	assert.Equal(t, 3000, r.Pairs)
	assert.Equal(t, 3, r.Shards)
	assert.Equal(t, 1.0, r.ours("get").Commands)
	assert.Equal(t, "rueidis", r.best("get", true).Client)
	assert.False(t, r.best("get", false).Tagged)
	assert.NotEqual(t, "limit", r.best("set", true).Client)
	for _, c := range r.Clients {
		assert.Positive(t, c.P50, c.label())
		assert.Positive(t, c.ServerCPU, c.label())
	}
	for name, text := range map[string]string{
		"nothing":        "",
		"no JSON":        "slotcast is the best",
		"only ourselves": `{"client":"slotcast","op":"get","p50_us":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readPeers(strings.NewReader(text))
			assert.Error(t, err)
		})
	}
}

// TestCompareIsFound makes sure that internal/compare is where peers looks for it.
func TestCompareIsFound(t *testing.T) {
	folder, err := defaults(newPeers()).find()
	require.NoError(t, err)
	assert.True(t, strings.HasSuffix(folder, "internal/compare"), folder)
	t.Chdir(t.TempDir())
	_, err = defaults(newPeers()).find()
	assert.ErrorContains(t, err, "checkout")
}
