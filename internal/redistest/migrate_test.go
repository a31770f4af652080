package redistest_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
)

// slotOfTag is the slot of the hash tag "user", by CLUSTER KEYSLOT; a primary of three at the start holds it.
const slotOfTag = 5474

// fill stores n keys of one slot and returns their names.
func fill(t *testing.T, n *redistest.Node, count int) []string {
	t.Helper()
	var keys []string
	for i := range count {
		key := fmt.Sprintf("{user}%d", i)
		_, err := n.Do("SET", key, "value of "+key)
		require.NoError(t, err)
		keys = append(keys, key)
	}
	return keys
}

func requireKeys(t *testing.T, n *redistest.Node, keys []string) {
	t.Helper()
	for _, key := range keys {
		value, err := n.Do("GET", key)
		require.NoError(t, err)
		require.Equal(t, "value of "+key, value.Text)
	}
}

// TestMigrationHeldOpen looks at a slot between two steps of its migration: what the servers answer then is what the client
// has to cope with.
func TestMigrationHeldOpen(t *testing.T) {
	t.Parallel()
	for _, binary := range binaries() {
		t.Run(binary.name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			c := redistest.Start(t, redistest.Config{Binary: binary.path, Password: "sesame"})
			from, to := c.Node(1), c.Node(2)
			keys := fill(t, from, 4)
			slot, err := from.Do("CLUSTER", "KEYSLOT", keys[0])
			require.NoError(t, err)
			require.EqualValues(t, slotOfTag, slot.Int)

			m, err := c.BeginMigration(ctx, slotOfTag, from, to)
			require.NoError(t, err)
			require.NoError(t, m.Move(ctx, keys[0], keys[1]))
			left, err := m.Keys(ctx)
			require.NoError(t, err)
			assert.ElementsMatch(t, keys[2:], left)
			assert.ErrorContains(t, m.Commit(ctx), "2 keys have not moved")

			_, err = from.Do("GET", keys[0])
			assert.ErrorContains(t, err, fmt.Sprintf("ASK %d %s", slotOfTag, to.Addr))
			_, err = from.Do("MGET", keys[0], keys[2])
			assert.ErrorContains(t, err, "TRYAGAIN")
			requireKeys(t, from, keys[2:])
			values, err := to.Pipeline(ctx, []string{"GET", keys[0]}, []string{"ASKING"}, []string{"GET", keys[0]})
			require.NoError(t, err)
			assert.ErrorContains(t, values[0].Err(), "MOVED")
			assert.Equal(t, "value of "+keys[0], values[2].Text)

			var moved []string
			require.NoError(t, m.MoveAll(ctx, func(key string) { moved = append(moved, key) }))
			assert.ElementsMatch(t, keys[2:], moved)
			require.NoError(t, m.Commit(ctx))
			requireKeys(t, to, keys)
			for _, n := range []*redistest.Node{c.Node(0), from} {
				_, err = n.Do("GET", keys[0])
				assert.ErrorContains(t, err, fmt.Sprintf("MOVED %d %s", slotOfTag, to.Addr))
			}
			require.NoError(t, c.WaitReady(ctx))
		})
	}
}

func TestMigrateSlotThereAndBack(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c := redistest.Start(t, redistest.Config{Replicas: 1})
	keys := fill(t, c.Node(1), 10)
	for _, way := range [][2]*redistest.Node{{c.Node(1), c.Node(0)}, {c.Node(0), c.Node(1)}} {
		require.NoError(t, c.MigrateSlot(ctx, slotOfTag, way[0], way[1]))
		requireKeys(t, way[1], keys)
		primary, err := c.PrimaryOf(ctx, slotOfTag)
		require.NoError(t, err)
		assert.Same(t, way[1], primary)
	}
	require.NoError(t, c.WaitReady(ctx), "replicas have followed")
}

func TestMoveAtOnce(t *testing.T) {
	for _, binary := range redistest.Binaries() {
		t.Run(filepath.Base(binary), func(t *testing.T) {
			ctx := t.Context()
			c := redistest.Start(t, redistest.Config{Replicas: 1, Binary: binary})
			keys := fill(t, c.Node(1), 10)
			for _, way := range [][2]*redistest.Node{{c.Node(1), c.Node(0)}, {c.Node(0), c.Node(1)}} {
				err := c.MoveAtOnce(ctx, way[0], way[1], slotOfTag-5, slotOfTag+5)
				if errors.Is(err, redistest.ErrNotAtomic) {
					t.Skip(err)
				}
				require.NoError(t, err)
				requireKeys(t, way[1], keys)
				require.NoError(t, c.WaitReady(ctx), "replicas have followed")
				primary, err := c.PrimaryOf(ctx, slotOfTag)
				require.NoError(t, err)
				assert.Same(t, way[1], primary)
			}
		})
	}
}

func TestGrow(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c := redistest.Start(t, redistest.Config{})
	keys := fill(t, c.Node(1), 100)

	added, err := c.Grow(ctx)
	require.NoError(t, err)
	require.Same(t, added, c.Node(3))
	require.Len(t, c.Addrs(), 4)

	held := map[*redistest.Node]int{}
	for slot := range 16384 {
		if slot%64 != 0 { // a sample; PrimaryOf asks every node
			continue
		}
		primary, err := c.PrimaryOf(ctx, slot)
		require.NoError(t, err)
		held[primary]++
	}
	for i, n := range c.Nodes() {
		assert.InDelta(t, 64, held[n], 2, "node %d", i)
	}
	primary, err := c.PrimaryOf(ctx, slotOfTag)
	require.NoError(t, err)
	require.Same(t, added, primary, "the slot with keys is among the lowest of its primary, which move")
	requireKeys(t, added, keys)
}

func TestAddReplica(t *testing.T) {
	t.Parallel()
	c := redistest.Start(t, redistest.Config{Primaries: 1})
	fill(t, c.Node(0), 1)
	replica, err := c.AddNode(t.Context(), c.Node(0))
	require.NoError(t, err)
	count, err := replica.Do("DBSIZE")
	require.NoError(t, err)
	assert.EqualValues(t, 1, count.Int)
}
