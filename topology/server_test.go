package topology_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/topology"
)

// askServers asks the nodes of a real cluster.
func askServers(c *redistest.Cluster) func(context.Context, string, topology.Command) (topology.Answer, error) {
	return func(ctx context.Context, addr string, cmd topology.Command) (topology.Answer, error) {
		for _, n := range c.Nodes() {
			if n.Addr != addr {
				continue
			}
			name := map[topology.Command]string{topology.Shards: "SHARDS", topology.Slots: "SLOTS"}[cmd]
			v, err := n.DoContext(ctx, "CLUSTER", name)
			return topology.Answer{Value: v, Asked: topology.Asked{Host: hostOf(addr), Port: portOf(addr)}}, err
		}
		return topology.Answer{}, errRefused
	}
}

func TestRealCluster(t *testing.T) {
	t.Parallel()
	for _, binary := range redistest.Binaries() {
		t.Run(filepath.Base(binary), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			c := redistest.Start(t, redistest.Config{Primaries: 3, Replicas: 1, Binary: binary})
			tr := topology.NewTracker(topology.Config{Seeds: c.Addrs()[:1], Ask: askServers(c), MinInterval: 50 * time.Millisecond})
			defer tr.Close()
			require.NoError(t, tr.Refresh(ctx))
			before := tr.Map()
			require.Equal(t, 16384, before.Covered())
			require.Len(t, before.Shards(), 3)
			for i, s := range before.Shards() {
				assert.Equal(t, c.Node(i).Addr, s.Primary.Addr)
				assert.Equal(t, c.Node(i).ID, s.Primary.ID)
				require.Len(t, s.Replicas, 1)
				assert.Equal(t, c.Node(3+i).Addr, s.Replicas[0].Addr)
			}

			t.Run("MOVED names the owner", func(t *testing.T) {
				_, err := c.Node(0).DoContext(ctx, "GET", "foo") // slot 12182, at the third primary
				var reply *resp.Error
				require.ErrorAs(t, err, &reply)
				r, ok := topology.ParseRedirect([]byte(reply.Line))
				require.True(t, ok)
				addr, ok := r.Addr(topology.Asked{Host: "127.0.0.1"})
				require.True(t, ok)
				assert.Equal(t, owner(before, r.Slot), addr)
			})

			t.Run("C16 failover", func(t *testing.T) {
				require.NoError(t, c.Failover(ctx, 3))
				require.NoError(t, tr.Refresh(ctx))
				assert.Equal(t, c.Node(3).Addr, owner(tr.Map(), 0))
				assert.False(t, tr.Map().Equal(before))
				assert.True(t, tr.Map().SameShape(before))
			})
		})
	}
}

func TestRealPermissions(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := redistest.Start(t, redistest.Config{Primaries: 1, Config: []string{"user ann on nopass ~* +@all -cluster"}})
	tr := topology.NewTracker(topology.Config{
		Seeds: c.Addrs(),
		Ask: func(ctx context.Context, addr string, cmd topology.Command) (topology.Answer, error) {
			name := map[topology.Command]string{topology.Shards: "SHARDS", topology.Slots: "SLOTS"}[cmd]
			v, err := c.Node(0).Pipeline(ctx, []string{"AUTH", "ann", "x"}, []string{"CLUSTER", name}, []string{"AUTH", "default", ""})
			if err != nil {
				return topology.Answer{}, err
			}
			return topology.Answer{Value: v[1]}, nil
		},
	})
	defer tr.Close()
	t.Run("C30 the words of a real server", func(t *testing.T) {
		var denied *topology.PermissionError
		require.ErrorAs(t, tr.Refresh(ctx), &denied)
		assert.ErrorContains(t, denied, "cluster|slots")
	})
}

func TestRealServerWithoutCluster(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s := redistest.StartServer(t, redistest.ServerConfig{})
	tr := topology.NewTracker(topology.Config{
		Seeds: []string{s.Addr},
		Ask: func(ctx context.Context, addr string, cmd topology.Command) (topology.Answer, error) {
			v, err := s.DoContext(ctx, "CLUSTER", "SHARDS")
			return topology.Answer{Value: v}, err
		},
	})
	defer tr.Close()
	t.Run("C24 the words of a real server", func(t *testing.T) {
		assert.ErrorIs(t, tr.Refresh(ctx), topology.ErrNotCluster)
	})
}
