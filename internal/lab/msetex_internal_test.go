package main

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/resp"
)

func TestJudgeMSETEX(t *testing.T) {
	for _, test := range []struct {
		name  string
		value resp.Value
		err   error
		want  msetexState
	}{
		{"a server that looks at slots", resp.Value{}, resp.NewError("CROSSSLOT Keys in request don't hash to the same slot"), msetexSafe},
		{"one that redirects at once", resp.Value{}, resp.NewError("MOVED 12 127.0.0.1:7000"), msetexSafe},
		{"one that writes what it does not own", resp.Value{Kind: resp.KindInt}, nil, msetexUnsafe},
		{"one that has it not", resp.Value{}, resp.NewError("ERR unknown command 'MSETEX'"), msetexAbsent},
		{"one that does not let us", resp.Value{}, resp.NewError("NOPERM no"), msetexAbsent},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := judgeMSETEX(test.value, test.err)
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
	_, err := judgeMSETEX(resp.Value{}, errors.New("gone"))
	assert.Error(t, err)
}

// TestProbe asks a cluster of each kind of server that there is. The probe must write nothing anywhere, and MSETEX must be
// used exactly where every key that it stores is redirected.
func TestProbe(t *testing.T) {
	for _, binary := range redistest.Binaries() {
		t.Run(filepath.Base(binary), func(t *testing.T) {
			c := redistest.Start(t, redistest.Config{Primaries: 2, Binary: binary})
			addrs := strings.Join(c.Addrs(), ",")
			o, err := parse("write", newWrite(), []string{"-addrs", addrs}, nil)
			require.NoError(t, err)
			lab := &lab{options: *o}
			cluster, err := lab.cluster(t.Context(), 2)
			require.NoError(t, err)
			state, err := cluster.probeMSETEX(t.Context())
			require.NoError(t, err)
			require.NoError(t, lab.close(t.Context()))
			assert.Empty(t, content(t, c))

			want := msetexAbsent
			if _, err := c.Node(0).Do("MSETEX", "1", "{b}a", "v", "PX", "1000"); err == nil || !strings.HasPrefix(err.Error(), "ERR unknown") {
				want = redirected(t, c)
			}
			assert.Equal(t, want, state)
			if state != msetexAbsent {
				require.NoError(t, c.FlushAll())
				storesWithMSETEX(t, addrs)
				assert.Empty(t, content(t, c))
			}
			r := decode[writeResult](t, "write", "-addrs", addrs, "-keys", "60", "-rounds", "1", "-group", "1")
			assert.Equal(t, state, r.MSETEX)
			assert.Equal(t, state == msetexSafe, r.way("MSETEX") != nil)
			assert.Empty(t, content(t, c))
		})
	}
}

// storesWithMSETEX stores a batch with MSETEX, whatever the probe says: keys go to their owners in any case.
func storesWithMSETEX(t *testing.T, addrs string) {
	t.Helper()
	o, err := parse("write", newWrite(), []string{"-addrs", addrs}, nil)
	require.NoError(t, err)
	lab := &lab{options: *o}
	c, err := lab.cluster(t.Context(), 2)
	require.NoError(t, err)
	pairs, estimates, err := workload.CellPairs(100, resolution, 1)
	require.NoError(t, err)
	cache, err := c.cache(t.Context(), 2, nil)
	require.NoError(t, err)
	b, err := newWriteBatch(c, cache, &byteCount{}, pairs, estimates)
	require.NoError(t, err)
	c.will(b.items.keys)
	require.NoError(t, b.raw(msetex)(t.Context()))
	require.NoError(t, b.verify(t.Context(), "MSETEX"))
	require.NoError(t, lab.close(t.Context()))
}

// redirected finds out the direct way whether a node stores with MSETEX what it does not own.
func redirected(t *testing.T, c *redistest.Cluster) msetexState {
	for i := range 20 {
		key := "probe:" + strconv.Itoa(i)
		var stored int
		for _, n := range c.Nodes() {
			if v, err := n.Do("MSETEX", "1", key, "v", "PX", "1000"); err == nil && v.Int == 1 {
				stored++
			}
		}
		if stored > 1 {
			return msetexUnsafe
		}
	}
	return msetexSafe
}
