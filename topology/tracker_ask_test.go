package topology_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/topology"
)

const (
	node1Shards = "10.0.0.1:6379 CLUSTER SHARDS"
	node1Slots  = "10.0.0.1:6379 CLUSTER SLOTS"
)

// answerShards makes a server answer CLUSTER SHARDS with value or err.
func answerShards(value resp.Value, err error) func(*server) {
	return func(s *server) {
		s.answer = func(cmd topology.Command) (topology.Answer, error, bool) {
			return topology.Answer{Value: value}, err, cmd == topology.Shards
		}
	}
}

// When CLUSTER SHARDS is of no use, CLUSTER SLOTS is asked at the same node, and where it will be of no use the next time
// either, that is remembered for a while.
func TestTrackerFallsBackToSlots(t *testing.T) {
	twoMasters := shardsReply(evenShards(1, 1))
	nodes, _ := twoMasters.Elems[0].Get("nodes")
	nodes.Elems[1] = nodeFields("id=b role=master health=online port=1 endpoint=h")
	overlap := shardsReply([]topology.Shard{
		{Primary: testNode(1), Slots: ranges(0, 16384)}, {Primary: testNode(2), Slots: ranges(5, 6)},
	})
	oddSlots := array(shard([]int{0, 1, 2}, "id=a role=master port=1 endpoint=h"))
	for _, tt := range []struct {
		name       string
		shards     resp.Value
		err        error
		remembered bool
	}{
		{"C24 unknown command", null(), replyError("ERR unknown command 'CLUSTER SHARDS'"), true},
		{"C24 unknown subcommand", null(), replyError("ERR Unknown subcommand or wrong number of arguments for 'SHARDS'. Try CLUSTER HELP."), true},
		{"C24 error reply as a value", resp.Value{Kind: resp.KindError, Text: "ERR unknown subcommand 'shards'"}, nil, true},
		{"C30 forbidden", null(), replyError("NOPERM this user has no permissions to run the 'cluster|shards' command"), true},
		{"C24 unparsable", bulk("cluster shards"), nil, true},
		{"C1 slots that are no pairs", oddSlots, nil, true},
		{"C17 the connection ends", null(), fmt.Errorf("read: %w", io.EOF), true},
		{"C17 the connection ends within the reply", null(), io.ErrUnexpectedEOF, true},
		{"C17 the connection is reset", null(), fmt.Errorf("read: %w", syscall.ECONNRESET), true},
		{"C17 the asker knows an old server", null(), topology.ErrOldServer, true},
		{"C3 a shard without slots", shardsReply([]topology.Shard{{Primary: testNode(1)}, evenShards(2, 0)[1]}), nil, false},
		{"C4 C5 two masters", twoMasters, nil, false},
		{"C6 overlap", overlap, nil, false},
		{"C13 zero shards", array(), nil, false},
	} {
		run(t, tt.name, func(t *testing.T) {
			c := newCluster(2, 1)
			c.setAll(answerShards(tt.shards, tt.err))
			tr := c.track(t, topology.Config{Timeout: time.Minute})
			require.NoError(t, tr.Refresh(t.Context()))
			assert.Equal(t, []string{node1Shards, node1Slots}, c.asked())
			assert.True(t, tr.Map().Equal(newMap(t, evenShards(2, 1)...)))

			require.NoError(t, tr.Refresh(t.Context()))
			assert.Equal(t, !tt.remembered, slices.ContainsFunc(c.asked(), isShards), "asked again at once")

			time.Sleep(10*time.Minute + time.Second)
			require.NoError(t, tr.Refresh(t.Context()))
			assert.True(t, slices.ContainsFunc(c.asked(), isShards), "asked again later")
		})
	}
}

func isShards(call string) bool { return strings.HasSuffix(call, "SHARDS") }

func TestTrackerOldServer(t *testing.T) {
	run(t, "C17 a version below 7.0.3 is not asked CLUSTER SHARDS again", func(t *testing.T) {
		c := newCluster(3, 0)
		c.setAll(func(s *server) { s.version = "7.0.2" })
		tr := c.track(t, topology.Config{})
		require.NoError(t, tr.Refresh(t.Context()))
		c.asked()
		for range 20 {
			require.NoError(t, tr.Refresh(t.Context()))
		}
		assert.False(t, slices.ContainsFunc(c.asked(), isShards))
	})

	run(t, "C17 a crash is not spread to the next node", func(t *testing.T) {
		c := newCluster(3, 0)
		tr := c.track(t, topology.Config{})
		require.NoError(t, tr.Refresh(t.Context()))
		c.asked()
		var gone atomic.Bool // the first node that was asked CLUSTER SHARDS crashed of it
		c.setAll(func(s *server) {
			s.answer = func(cmd topology.Command) (topology.Answer, error, bool) {
				if cmd == topology.Shards {
					return topology.Answer{}, io.EOF, true
				}
				return topology.Answer{}, errRefused, gone.CompareAndSwap(false, true)
			}
		})
		require.NoError(t, tr.Refresh(t.Context()))
		calls := c.asked()
		assert.True(t, isShards(calls[0]))
		assert.False(t, slices.ContainsFunc(calls[1:], isShards), "%v", calls)
		assert.Len(t, calls, 4, "SLOTS at the node that is gone, and at the next two")
	})
}

func TestShardsSafe(t *testing.T) {
	for version, want := range map[string]bool{
		"6.2.14": false, "7.0.0": false, "7.0.2": false, "7.0.3": true, "7.0.15": true, "7.2.4": true, "8.0.6": true,
		"9.1.2": true, "10.0.0": true, "": true, "7": true, "7.0": true, "255.255.255": true, "df-1.2": true, "7.0.2-rc1": true,
	} {
		t.Run("C17 "+version, func(t *testing.T) { assert.Equal(t, want, topology.ShardsSafe(version)) })
	}
}

// A node that cannot answer now is left alone: another one is asked.
func TestTrackerAsksAnother(t *testing.T) {
	for _, err := range []error{
		errRefused,
		errors.New("lookup node1: no such host"),
		replyError("LOADING Redis is loading the dataset in memory"),
		replyError("BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."),
		replyError("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."),
		replyError("CLUSTERDOWN The cluster is down"),
		replyError("ERR This instance has cluster support disabled"),
		replyError("NOAUTH Authentication required."),
	} {
		run(t, "C19 C23 C24 C25 F10 "+err.Error(), func(t *testing.T) {
			c := newCluster(3, 0)
			c.set("10.0.0.1:6379", func(s *server) { s.err = err })
			for range 8 { // seeds are asked in random order
				tr := c.track(t, topology.Config{Seeds: []string{"10.0.0.1:6379", "10.0.0.2:6379"}})
				require.NoError(t, tr.Refresh(t.Context()))
				assert.Equal(t, 16384, tr.Map().Covered())
			}
			assert.NotContains(t, c.asked(), node1Slots)
		})
	}
}

func TestTrackerErrors(t *testing.T) {
	run(t, "C24 no cluster", func(t *testing.T) {
		c := newCluster(1, 0)
		c.setAll(func(s *server) { s.err = replyError("ERR This instance has cluster support disabled") })
		err := c.track(t, topology.Config{}).Refresh(t.Context())
		assert.ErrorIs(t, err, topology.ErrNotCluster)
		var reply *resp.Error
		require.ErrorAs(t, err, &reply)
		assert.Equal(t, "ERR This instance has cluster support disabled", reply.Line)
		assert.Equal(t, []string{node1Shards}, c.asked())
	})

	run(t, "C13 a cluster that is not ready", func(t *testing.T) {
		c := newCluster(1, 0)
		c.view([]topology.Shard{{Primary: testNode(1)}})
		tr := c.track(t, topology.Config{})
		assert.ErrorIs(t, tr.Refresh(t.Context()), topology.ErrNotReady)
		c.view([]topology.Shard{})
		assert.ErrorIs(t, tr.Refresh(t.Context()), topology.ErrNotReady)
		c.view(evenShards(1, 0))
		assert.NoError(t, tr.Refresh(t.Context()), "and is later")
	})

	run(t, "C30 no permission", func(t *testing.T) {
		c := newCluster(6, 0)
		c.setAll(func(s *server) {
			s.answer = func(cmd topology.Command) (topology.Answer, error, bool) {
				name := strings.ToLower(strings.ReplaceAll(cmd.String(), " ", "|"))
				return topology.Answer{}, replyError("NOPERM this user has no permissions to run the '" + name + "' command"), true
			}
		})
		var seeds []string
		for i := range 6 {
			seeds = append(seeds, testNode(i+1).Addr)
		}
		tr := c.track(t, topology.Config{Seeds: seeds})
		err := tr.Refresh(t.Context())
		var denied *topology.PermissionError
		require.ErrorAs(t, err, &denied)
		assert.ErrorContains(t, err, "+cluster|shards +cluster|slots +asking +readonly +evalsha")
		assert.ErrorContains(t, err, "'cluster|slots' command")
		assert.LessOrEqual(t, len(c.asked()), 6, "three nodes at most, in two steps: no storm")
	})

	run(t, "C25 C28 SHARDS allowed, SLOTS not, partly covered", func(t *testing.T) {
		c := newCluster(2, 0)
		half := []topology.Shard{evenShards(2, 0)[0]}
		c.view(half)
		c.setAll(func(s *server) {
			s.answer = func(cmd topology.Command) (topology.Answer, error, bool) {
				return topology.Answer{}, replyError("NOPERM no"), cmd == topology.Slots
			}
		})
		tr := c.track(t, topology.Config{})
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Equal(t, 8192, tr.Map().Covered())
	})

	run(t, "C28 of two partial answers the fuller one", func(t *testing.T) {
		thirds := evenShards(3, 0)
		for _, slots := range [][]topology.Shard{thirds[:1], thirds[1:]} {
			c := newCluster(3, 0)
			c.view(slots)
			c.setAll(answerShards(shardsReply(thirds[:2]), nil))
			tr := c.track(t, topology.Config{})
			require.NoError(t, tr.Refresh(t.Context()))
			assert.GreaterOrEqual(t, tr.Map().Covered(), 10922)
		}
	})

	run(t, "every seed with its reason", func(t *testing.T) {
		c := newCluster(2, 0)
		c.set("10.0.0.2:6379", func(s *server) { s.err = replyError("LOADING Redis is loading the dataset in memory") })
		tr := c.track(t, topology.Config{Seeds: []string{"nowhere:1", "10.0.0.2:6379"}})
		err := tr.Refresh(t.Context())
		var seeds *topology.SeedsError
		require.ErrorAs(t, err, &seeds)
		assert.Len(t, seeds.Nodes, 2)
		assert.ErrorIs(t, err, errRefused)
		assert.ErrorAs(t, err, new(*resp.Error))
		assert.ErrorContains(t, err, "none of 2 nodes could tell")
		assert.ErrorContains(t, err, "nowhere:1: connection refused")
		assert.ErrorContains(t, err, "10.0.0.2:6379: LOADING")
	})

	run(t, "many seeds make no long text", func(t *testing.T) {
		var seeds []string
		for i := range 100 {
			seeds = append(seeds, fmt.Sprintf("nowhere:%d", i))
		}
		err := newCluster(1, 0).track(t, topology.Config{Seeds: seeds}).Refresh(t.Context())
		assert.Less(t, len(err.Error()), 300)
		assert.ErrorContains(t, err, "; and 95 more")
	})
}

func TestTrackerMapAddr(t *testing.T) {
	nat := func(host string, port int) (string, int) { return "nat", 7000 + port%1000 + int(host[len(host)-1]-'0') }
	for _, cmd := range []topology.Command{topology.Shards, topology.Slots} {
		run(t, "C26 "+cmd.String(), func(t *testing.T) {
			c := newCluster(2, 0)
			if cmd == topology.Slots {
				c.setAll(answerShards(null(), replyError("ERR unknown command")))
			}
			tr := c.track(t, topology.Config{MapAddr: nat})
			require.NoError(t, tr.Refresh(t.Context()))
			assert.Equal(t, "nat:7380", tr.Map().Shards()[0].Primary.Addr)
			assert.Equal(t, "nat:7381", tr.Map().Shards()[1].Primary.Addr)
		})
	}
}

func TestTrackerTLS(t *testing.T) {
	run(t, "C11 SHARDS tells no TLS port, SLOTS over TLS does", func(t *testing.T) {
		ask := newCluster(3, 0).ask
		var c cluster
		tr := c.track(t, topology.Config{Ask: func(ctx context.Context, addr string, cmd topology.Command) (topology.Answer, error) {
			a, err := ask(ctx, addr, cmd)
			a.Asked.TLS = true
			return a, err
		}})
		require.NoError(t, tr.Refresh(t.Context()))
		assert.Equal(t, 16384, tr.Map().Covered())
	})
}
