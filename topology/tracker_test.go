package topology_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/topology"
)

func TestTrackerFirstRefresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(3, 1)
		tr := c.track(t, topology.Config{})
		require.Nil(t, tr.Map())
		require.NoError(t, tr.Refresh(context.Background()))
		assert.Equal(t, 16384, tr.Map().Covered())
		assert.Len(t, tr.Map().Shards(), 3)
		assert.Equal(t, []string{"10.0.0.1:6379 CLUSTER SHARDS"}, c.asked())
	})
}
