package routecache_test

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/routecache"
	"github.com/slotcast/slotcast/topology"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOpenRefuses(t *testing.T) {
	alone := redistest.StartServer(t, redistest.ServerConfig{})
	secured := redistest.Start(t, redistest.Config{Primaries: 3, Password: "s3cret"})
	web := fakeredis.Start(t)
	web.Handle(func(*fakeredis.Peer, []string) []byte { return []byte("HTTP/1.1 400 Bad Request\r\n\r\n") })
	as := func(target any) func(error) bool { return func(err error) bool { return errors.As(err, target) } }
	is := func(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }
	for _, test := range []struct {
		name string
		cfg  routecache.Config
		want func(error) bool
		says string
	}{
		{"no seeds", routecache.Config{}, func(error) bool { return true }, "Addrs is empty"},
		{"no seed reachable", routecache.Config{Addrs: []string{"127.0.0.1:1", "127.0.0.1:2"}}, as(new(*topology.SeedsError)), "127.0.0.1:2"},
		{"a server that is not in cluster mode", routecache.Config{Addrs: []string{alone.Addr}}, is(topology.ErrNotCluster), alone.Addr},
		{"a wrong password", routecache.Config{Addrs: secured.Addrs(), Batch: batch.Config{Conn: conn.Config{Password: "wr0ng"}}}, is(conn.ErrAuth), "WRONGPASS"},
		{"no password", routecache.Config{Addrs: secured.Addrs()}, is(conn.ErrAuth), "NOAUTH"},
		{"a peer that does not speak Redis", routecache.Config{Addrs: []string{web.Addr()}}, is(conn.ErrNotRedis), web.Addr()},
		{"a template without a hole", routecache.Config{Addrs: []string{"x:1"}, Template: "routing"}, as(new(*routecache.TemplateError)), "routing"},
		{"a template with two", routecache.Config{Addrs: []string{"x:1"}, Template: "%d%d"}, as(new(*routecache.TemplateError)), "%d%d"},
		{"a template with a brace", routecache.Config{Addrs: []string{"x:1"}, Template: "{%d}"}, as(new(*routecache.TemplateError)), "brace"},
		{"a resolution there is not", routecache.Config{Addrs: []string{"x:1"}, Resolution: 16}, as(new(*routecache.ResolutionError)), "16"},
		{"seats below none", routecache.Config{Addrs: secured.Addrs(), Tags: -1, Batch: batch.Config{Conn: conn.Config{Password: "s3cret"}}}, as(new(*routecache.SeatsError)), "-1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.cfg.Batch.Logger = slog.New(slog.DiscardHandler)
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			c, err := routecache.Open(ctx, test.cfg)
			if err == nil {
				c.Close()
			}
			require.Error(t, err)
			assert.True(t, test.want(err), "%T: %v", err, err)
			assert.Contains(t, err.Error(), test.says)
			assert.False(t, strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "wr0ng"), "a secret in %v", err)
			t.Log(err)
		})
	}
}

func TestUncoveredSlots(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3, Config: []string{"cluster-require-full-coverage no"}})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c := open(t, routecache.Config{Addrs: cluster.Addrs()})
	pairs := randomPairs(300, 11)
	estimates := estimatesOf(pairs)
	require.NoError(t, c.Set(ctx, pairs, estimates, time.Hour))
	lost := c.Layout().Anchors().List[0]
	for _, node := range cluster.Nodes() {
		_, err := node.Do("CLUSTER", "DELSLOTS", strconv.Itoa(int(lost.Slot)))
		require.NoError(t, err)
	}
	out := make([]routecache.Answer, len(pairs))
	var err error
	for ctx.Err() == nil && !errors.Is(err, topology.ErrSlotUncovered) {
		_ = c.Client().Refresh(ctx)
		err = c.Get(ctx, pairs, out)
	}
	require.ErrorIs(t, err, topology.ErrSlotUncovered)
	t.Log(err)
	for i := range pairs {
		if c.Layout().Anchors().List[c.Layout().Anchor(pairs[i])] == lost {
			assert.Equal(t, routecache.Answer{}, out[i])
		} else {
			assert.Equal(t, routecache.Answer{Estimate: estimates[i], State: routecache.Hit}, out[i])
		}
	}
}

func TestClosed(t *testing.T) {
	cluster := redistest.Start(t, redistest.Config{Primaries: 3})
	c := open(t, routecache.Config{Addrs: cluster.Addrs()})
	require.NoError(t, c.Close())
	out := []routecache.Answer{{State: routecache.Hit}}
	require.ErrorIs(t, c.Get(context.Background(), randomPairs(1, 1), out), batch.ErrClosed)
	assert.Equal(t, routecache.Failed, out[0].State)
	require.ErrorIs(t, c.Set(context.Background(), randomPairs(1, 1), make([]routecache.Estimate, 1), time.Hour), batch.ErrClosed)
}
