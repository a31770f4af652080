package redistest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
)

func requirePrimary(t *testing.T, c *redistest.Cluster, slot int, want *redistest.Node) {
	t.Helper()
	primary, err := c.PrimaryOf(t.Context(), slot)
	require.NoError(t, err)
	require.Same(t, want, primary, "slot %d", slot)
}

func TestFailover(t *testing.T) {
	t.Parallel()
	for _, binary := range binaries() {
		t.Run(binary.name, func(t *testing.T) {
			t.Parallel()
			c := redistest.Start(t, redistest.Config{Binary: binary.path, Replicas: 1})
			keys := fill(t, c.Node(1), 3)
			require.NoError(t, c.Failover(t.Context(), 4))
			requirePrimary(t, c, slotOfTag, c.Node(4))
			requireKeys(t, c.Node(4), keys)
			require.NoError(t, c.WaitReady(t.Context()))

			require.NoError(t, c.Failover(t.Context(), 1), "and back")
			requirePrimary(t, c, slotOfTag, c.Node(1))
		})
	}
}

// TestPrimaryGone takes a primary away in the ways that the cluster has to notice by itself.
func TestPrimaryGone(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		gone, return_ func(t *testing.T, n *redistest.Node) error
	}{
		{
			name:    "killed",
			gone:    func(t *testing.T, n *redistest.Node) error { return n.Kill() },
			return_: func(t *testing.T, n *redistest.Node) error { return n.Restart(t.Context()) },
		},
		{
			name:    "frozen",
			gone:    func(t *testing.T, n *redistest.Node) error { return n.Freeze() },
			return_: func(t *testing.T, n *redistest.Node) error { return n.Thaw() },
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := redistest.Start(t, redistest.Config{Replicas: 1, NodeTimeout: 500 * time.Millisecond})
			keys := fill(t, c.Node(1), 3)
			_, err := c.Node(1).Do("WAIT", "1", "0")
			require.NoError(t, err)

			require.NoError(t, tt.gone(t, c.Node(1)))
			require.NoError(t, c.WaitReady(t.Context()))
			requirePrimary(t, c, slotOfTag, c.Node(4))
			requireKeys(t, c.Node(4), keys)

			require.NoError(t, tt.return_(t, c.Node(1)))
			require.NoError(t, c.WaitReady(t.Context()), "the old primary comes back as a replica")
			requirePrimary(t, c, slotOfTag, c.Node(4))
			_, err = c.Node(1).Do("SET", "{user}", "")
			assert.ErrorContains(t, err, "MOVED")
		})
	}
}

func TestWholeClusterRestarted(t *testing.T) {
	t.Parallel()
	c := redistest.Start(t, redistest.Config{})
	for _, n := range c.Nodes() {
		require.NoError(t, n.Kill())
	}
	require.ErrorContains(t, c.WaitReady(expired(t)), "no live node")
	for _, n := range c.Nodes() {
		require.NoError(t, n.Restart(t.Context()))
	}
	require.NoError(t, c.WaitReady(t.Context()))
	requirePrimary(t, c, slotOfTag, c.Node(1))
}

func TestFlushAllAndResetStats(t *testing.T) {
	t.Parallel()
	c := redistest.Start(t, redistest.Config{Replicas: 1})
	fill(t, c.Node(1), 3)
	require.NoError(t, c.FlushAll())
	size, err := c.Node(1).Do("DBSIZE")
	require.NoError(t, err)
	assert.Zero(t, size.Int)
	require.NoError(t, c.ResetStats())
	stats, err := c.Node(1).CommandStats()
	require.NoError(t, err)
	assert.NotContains(t, stats, "set")
}
