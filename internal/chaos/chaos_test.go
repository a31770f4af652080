package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/routecache"
)

// TestShortRun makes a run of the faults that take little time; a run of all is a step of continuous integration.
func TestShortRun(t *testing.T) {
	if _, err := redistest.Binary(); err != nil && os.Getenv(redistest.EnvRequire) == "" {
		t.Skip("needs a real server: " + err.Error())
	}
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), []string{"-duration", "4s", "-seed", "11",
		"-faults", "failover,migrate,script_flush,client_kill,reset,cancel"}, &stdout, &stderr)
	t.Log(stderr.String())
	require.Equal(t, 0, status, stdout.String())
	assert.Contains(t, stderr.String(), "seed 11\n")

	d := json.NewDecoder(&stdout)
	d.DisallowUnknownFields()
	var s summary
	require.NoError(t, d.Decode(&s))
	assert.EqualValues(t, 11, s.Seed)
	assert.Equal(t, s.Reads, s.Hits+s.Misses+s.Failed)
	assert.Positive(t, s.Certain)
	assert.Positive(t, s.Misses)
	assert.Positive(t, s.Writes)
	assert.Positive(t, s.Cancelled)
	assert.Positive(t, s.TopologyRefreshes)
	for name, n := range map[string]int{"failover": s.injected.Failover, "migrate": s.Migrate, "script_flush": s.ScriptFlush,
		"client_kill": s.ClientKill, "reset": s.Reset, "cancel": s.Cancel} {
		assert.Positive(t, n, name)
	}
	assert.Zero(t, s.Kill+s.Return+s.Freeze+s.Thaw+s.Restart)
}

// TestOnOneCluster has parts that share a small cluster, each with a cache of its own.
func TestOnOneCluster(t *testing.T) {
	c := redistest.Start(t, redistest.Config{Primaries: 3})
	t.Run("the checks can fail", func(t *testing.T) { testTheChecksCanFail(t, c) })
	t.Run("leaks are seen", func(t *testing.T) { testLeaksAreSeen(t, c) })
	t.Run("a broken migration is mended", func(t *testing.T) { testABrokenMigrationIsMended(t, c) })
	t.Run("unplanned failovers", func(t *testing.T) { testSurprises(t, c) })
}

// onCluster opens a cache on an empty cluster and writes all keys but the absent ones.
func onCluster(t *testing.T, c *redistest.Cluster) *chaosRun {
	require.NoError(t, c.FlushAll())
	r, err := open(t.Context(), c, options{seed: 1}, io.Discard)
	require.NoError(t, err)
	r.owners, err = r.ownersNow(t.Context())
	require.NoError(t, err)
	k := r.load.keys
	for _, s := range []span{k.lasting, k.hot, k.probes} {
		require.NoError(t, r.load.write(patience{timeout: time.Minute}, s.all(), s.ttl))
	}
	return r
}

func (s span) all() (which []int) {
	for i := s.first; i < s.last; i++ {
		which = append(which, i)
	}
	return which
}

// direct sends a command for entry i to the node that holds it.
func (r *chaosRun) direct(t *testing.T, i int, command string, args ...string) string {
	e := &r.book.entries[i]
	key := string(r.load.cache.Layout().AppendKey(nil, e.pair))
	v, err := r.owners[e.slot].node.Do(append([]string{command, key}, args...)...)
	require.NoError(t, err)
	return v.Text
}

// testTheChecksCanFail does behind the cache's back what the cache must not do.
func testTheChecksCanFail(t *testing.T, c *redistest.Cluster) {
	r := onCluster(t, c)
	k := r.load.keys
	slotOf := func(i int) uint16 { return r.book.entries[i].slot }
	twin := k.lasting.first + 1
	for slotOf(twin) != slotOf(k.lasting.first) {
		twin++
	}

	for _, test := range []struct {
		name           string
		spoil          func(t *testing.T)
		wrong, missing int64
	}{
		{"nothing", func(*testing.T) {}, 0, 0},
		{"a key is deleted", func(t *testing.T) { r.direct(t, k.hot.first, "DEL") }, 0, 1},
		{"two values are swapped", func(t *testing.T) {
			a, b := r.direct(t, k.lasting.first, "GET"), r.direct(t, twin, "GET")
			r.direct(t, k.lasting.first, "SET", b)
			r.direct(t, twin, "SET", a)
		}, 2, 0},
		{"a value is torn", func(t *testing.T) {
			value := r.direct(t, k.probes.first, "GET")
			r.direct(t, k.probes.first, "SET", value[:len(value)-1])
		}, 1, 0},
		{"a value is no estimate, which is a miss", func(t *testing.T) { r.direct(t, k.hot.first+1, "SET", "1;2") }, 0, 1},
		{"a key is there that was never written", func(t *testing.T) {
			r.direct(t, k.absent.first, "SET", r.direct(t, k.lasting.first+2, "GET"))
		}, 1, 0},
		{"a node loses its keys", func(t *testing.T) {
			_, err := r.owners[slotOf(k.hot.first)].node.Do("FLUSHALL")
			require.NoError(t, err)
		}, 0, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			r.book.wrong.Store(0)
			r.book.falseMisses.Store(0)
			test.spoil(t)
			for _, s := range []span{k.lasting, k.hot, k.absent, k.probes} {
				out, err := r.load.read(patience{timeout: time.Minute}, s.all())
				require.NoError(t, err)
				assert.NotContains(t, out, routecache.Answer{}, "failed")
			}
			r.book.settle()
			assert.Equal(t, test.wrong, r.book.wrong.Load())
			if test.missing < 0 {
				assert.Greater(t, r.book.falseMisses.Load(), int64(100))
			} else {
				assert.Equal(t, test.missing, r.book.falseMisses.Load())
			}
			for _, s := range []span{k.lasting, k.hot, k.probes} { // as it was
				require.NoError(t, r.load.write(patience{timeout: time.Minute}, s.all(), s.ttl))
			}
			r.direct(t, k.absent.first, "DEL")
		})
	}
	require.NoError(t, r.close())
	assert.Zero(t, r.sum.LeakedGoroutines)
	assert.Zero(t, r.sum.LeakedConns)
	assert.Positive(t, r.sum.Certain)
}

func testLeaksAreSeen(t *testing.T, c *redistest.Cluster) {
	r := onCluster(t, c)
	saved := settleTime
	settleTime = 200 * time.Millisecond
	defer func() { settleTime = saved }()

	leak, err := r.wires.dial(t.Context(), "tcp", r.cluster.Node(0).Addr)
	require.NoError(t, err)
	defer leak.Close()
	end := make(chan struct{})
	defer close(end)
	for range 2 {
		go func() { <-end }()
	}
	var out bytes.Buffer
	r.out = &out
	require.NoError(t, r.close())
	assert.Equal(t, 1, r.sum.LeakedConns)
	assert.GreaterOrEqual(t, r.sum.LeakedGoroutines, 2, "and those that need more time to end")
	assert.True(t, strings.Contains(out.String(), "testLeaksAreSeen"), "the goroutines are shown: %s", out.String())
	assert.False(t, r.sum.clean())
}

// testABrokenMigrationIsMended breaks a migration off at different points, and goes on as if nothing had been.
func testABrokenMigrationIsMended(t *testing.T, c *redistest.Cluster) {
	r := onCluster(t, c)
	rng := rand.New(rand.NewPCG(1, 1))
	broken := errors.New("broken off")
	ctx := t.Context()
	slot := r.tags[0].slot
	home := r.owners[slot].node
	away := home
	for _, n := range r.cluster.Nodes() {
		if n != home {
			away = n
		}
	}
	for _, test := range []struct {
		name  string
		moved int // per cent of the keys
		ended bool
	}{
		{"before the first key", 0, false},
		{"in the middle", 50, false},
		{"before the end", 100, false},
		{"after the end", 100, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			begun := r.book.now()
			m, err := r.cluster.BeginMigration(ctx, int(slot), home, away)
			require.NoError(t, err)
			keys, err := m.Keys(ctx)
			require.NoError(t, err)
			require.NoError(t, m.Move(ctx, keys[:len(keys)*test.moved/100]...))
			if test.ended {
				require.NoError(t, m.Commit(ctx))
			}
			require.NoError(t, r.mend(ctx, rng, slot, begun, broken))
			owner, err := r.cluster.PrimaryOf(ctx, int(slot))
			require.NoError(t, err)
			assert.Same(t, home, owner)
			left, err := away.Do("CLUSTER", "COUNTKEYSINSLOT", strconv.Itoa(int(slot)))
			require.NoError(t, err)
			assert.Zero(t, left.Int)

			k := r.load.keys
			require.NoError(t, r.load.write(patience{timeout: time.Minute}, k.lasting.all(), k.lasting.ttl))
			require.NoError(t, r.migrateSlot(ctx, rng, slot, home, away))
			require.NoError(t, r.migrateSlot(ctx, rng, slot, away, home))
			_, err = r.load.read(patience{timeout: time.Minute}, k.lasting.all())
			require.NoError(t, err)
			r.book.settle()
			assert.Zero(t, r.book.falseMisses.Load())
			assert.Zero(t, r.book.wrong.Load())
		})
	}
	assert.Equal(t, 4, r.sum.BrokenMigrations)
	require.NoError(t, r.close())
}

// testSurprises makes a primary change without a fault that calls for it.
func testSurprises(t *testing.T, c *redistest.Cluster) {
	r := onCluster(t, c)
	defer r.close()
	slot := r.tags[0].slot
	owners := r.owners
	moved := map[uint16]owner{}
	for s, o := range owners {
		moved[s] = o
	}
	r.surprises(moved, r.book.now())
	assert.Zero(t, r.sum.UnplannedFailover)
	moved[slot] = owner{owners[slot].node, "another life of the same node"}
	r.owners = owners
	r.surprises(moved, r.book.now())
	assert.Equal(t, 1, r.sum.UnplannedFailover)
	for i := range r.book.entries {
		e := &r.book.entries[i]
		if e.slot == slot && e.issued.Load() > 0 {
			assert.Empty(t, e.writes)
		}
	}
	assert.NotEmpty(t, r.book.weak(r.load.keys.lasting.first, r.load.keys.lasting.last))
}
