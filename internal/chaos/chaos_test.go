package main

import (
	"bytes"
	"encoding/json"
	"io"
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
	needServer(t)
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

func needServer(t *testing.T) {
	redistest.StartServer(t, redistest.ServerConfig{}) // skips where there is none
}

// onCluster opens a cache on a small cluster with all keys but the absent ones written.
func onCluster(t *testing.T) *chaosRun {
	c := redistest.Start(t, redistest.Config{Primaries: 3})
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

// TestTheChecksCanFail does behind the cache's back what the cache must not do.
func TestTheChecksCanFail(t *testing.T) {
	r := onCluster(t)
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

func TestLeaksAreSeen(t *testing.T) {
	r := onCluster(t)
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
	assert.True(t, strings.Contains(out.String(), "TestLeaksAreSeen"), "the goroutines are shown: %s", out.String())
	assert.False(t, r.sum.clean())
}

// TestSurprises makes a primary change without a fault that calls for it.
func TestSurprises(t *testing.T) {
	r := onCluster(t)
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
