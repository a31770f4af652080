package batch_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/internal/redistest"
)

// The script and the nodes that lack it, command by command.
func TestMissingScript(t *testing.T) {
	tagsOf := func(fake *fakeredis.Cluster, node, n int) (k keys, cmds []string) {
		for i := range n {
			of := tagged(fake.Tag(node, i), 2)
			k = append(k, of...)
			cmds = append(cmds, strings.Join(of, " "))
		}
		return k, cmds
	}

	bubble(t, "F2 three groups that lack it: the text goes out once", 1, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k, cmds := tagsOf(fake, 0, 3)
		require.NoError(t, c.Set(t.Context(), newWrites(k), time.Minute))
		assert.Equal(t, []string{"SCRIPT LOAD", "EVALSHA " + cmds[0], "EVALSHA " + cmds[1], "EVALSHA " + cmds[2]}, fake.Node(0).Log(),
			"a node that has not been met is given it in front")
		require.NoError(t, c.Set(t.Context(), newWrites(k), time.Minute))
		assert.Equal(t, []string{"EVALSHA " + cmds[0], "EVALSHA " + cmds[1], "EVALSHA " + cmds[2]}, fake.Node(0).Log(), "then it is known to have it")

		fake.Node(0).FlushScripts()
		views := fake.Views()
		w := newWrites(k)
		require.NoError(t, c.Set(t.Context(), w, time.Minute))
		assert.Equal(t, every(6, 1), w.stored)
		assert.Equal(t, []string{
			"EVALSHA " + cmds[0], "EVALSHA " + cmds[1], "EVALSHA " + cmds[2],
			"EVAL " + cmds[0], "EVALSHA " + cmds[1], "EVALSHA " + cmds[2],
		}, fake.Node(0).Log())
		assert.Zero(t, c.Stats().Waits)
		time.Sleep(time.Minute)
		assert.Equal(t, views, fake.Views(), "F1: the topology has nothing to do with it")
	})

	bubble(t, "F1 only the groups that lack it are sent again", 2, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k0, cmds0 := tagsOf(fake, 0, 1)
		k1, cmds1 := tagsOf(fake, 1, 1)
		k := append(k0, k1...)
		require.NoError(t, c.Set(t.Context(), newWrites(k), time.Minute))
		logs(fake)
		fake.Node(1).FlushScripts()
		require.NoError(t, c.Set(t.Context(), newWrites(k), time.Minute))
		assert.Equal(t, [][]string{{"EVALSHA " + cmds0[0]}, {"EVALSHA " + cmds1[0], "EVAL " + cmds1[0]}}, logs(fake))
	})

	bubble(t, "F14 a node that never has it", 1, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k, _ := tagsOf(fake, 0, 1)
		fake.Node(0).On(func(_ *fakeredis.Peer, cmd []string) ([]byte, bool) {
			return []byte("-NOSCRIPT No matching script. Please use EVAL.\r\n"), cmd[0] == "EVAL" || cmd[0] == "EVALSHA"
		})
		assert.ErrorContains(t, c.Set(t.Context(), newWrites(k), time.Minute), "NOSCRIPT")
		assert.LessOrEqual(t, len(fake.Node(0).Log()), 4)
	})

	bubble(t, "F1 SCRIPT LOAD is forbidden", 1, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k, cmds := tagsOf(fake, 0, 1)
		fake.Node(0).On(errorFor("SCRIPT", "NOPERM this user has no permissions to run the 'script|load' command", -1))
		w := newWrites(k)
		require.NoError(t, c.Set(t.Context(), w, time.Minute))
		assert.Equal(t, every(2, 1), w.stored)
		assert.Equal(t, []string{"SCRIPT LOAD", "EVALSHA " + cmds[0], "EVAL " + cmds[0]}, fake.Node(0).Log())
	})

	bubble(t, "F6 G1 lives are whole milliseconds, one at least", 1, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := keys{"a"}
		for _, test := range []struct {
			ttl  time.Duration
			want string
		}{
			{time.Nanosecond, "1"},
			{1500500 * time.Microsecond, "1500"},
			{100000 * time.Second, "100000000"},
		} {
			require.NoError(t, c.Set(t.Context(), newWrites(k), test.ttl))
			assert.Equal(t, []string{"SET a v-a PX " + test.want}, fake.Node(0).Log())
		}
		for _, ttl := range []time.Duration{0, -1, -time.Hour} {
			assert.Error(t, c.Set(t.Context(), newWrites(k), ttl))
		}
		assert.Empty(t, fake.Node(0).Log())
	})
}

// The script on every kind of server there is.
func TestScriptOnServers(t *testing.T) {
	for _, binary := range redistest.Binaries() {
		t.Run(filepath.Base(binary), func(t *testing.T) {
			cluster := redistest.Start(t, redistest.Config{Primaries: 3, Binary: binary, Config: []string{"lua-time-limit 20"}})
			c := open(t, batch.Config{Addrs: cluster.Addrs(), MaxKeys: 20_000})
			tags := oneTagPer(c, 1)
			node := cluster.Node(0)
			k := tagged(tags[0][0], 50)
			ctx := t.Context()
			do := func(args ...string) {
				t.Helper()
				_, err := node.Do(args...)
				require.NoError(t, err)
			}
			stored := func(k keys) {
				t.Helper()
				w := newWrites(k)
				require.NoError(t, c.Set(ctx, w, time.Hour))
				require.Equal(t, every(len(k), 1), w.stored)
				r := newReads(t, k)
				require.NoError(t, c.Get(ctx, r))
				require.Equal(t, values(k), r.got)
			}

			t.Run("F1 flushed scripts", func(t *testing.T) {
				stored(k)
				do("SCRIPT", "FLUSH")
				stored(k)
				assert.Equal(t, int64(1), c.Stats().NoScripts)
			})
			t.Run("F3 one script, whatever is stored", func(t *testing.T) {
				for i := range 20 {
					stored(tagged(tags[0][0], 2+i))
				}
				info, err := node.Info(ctx, "memory")
				require.NoError(t, err)
				assert.Equal(t, "1", info["number_of_cached_scripts"])
			})
			t.Run("F4 F8 more keys than unpack can take", func(t *testing.T) {
				stored(tagged(tags[0][0], 20_000))
			})
			t.Run("F5 F6 a life of 1e8 ms", func(t *testing.T) {
				require.NoError(t, c.Set(ctx, newWrites(k), 100_000_000*time.Millisecond))
				for _, key := range k {
					ttl, err := node.Do("PTTL", key)
					require.NoError(t, err)
					assert.InDelta(t, 100_000_000, ttl.Int, 60_000)
				}
			})
			t.Run("F9 every key says for itself that it was not stored", func(t *testing.T) {
				for _, n := range cluster.Nodes() {
					_, err := n.Do("ACL", "SETUSER", "noset", "on", ">pw", "~*", "+@all", "-set")
					require.NoError(t, err)
				}
				user := open(t, batch.Config{Addrs: cluster.Addrs(), Conn: conn.Config{Username: "noset", Password: "pw"}})
				w := newWrites(k)
				err := user.Set(ctx, w, time.Hour)
				assert.Equal(t, every(len(k), 0), w.stored)
				for _, i := range []int{0, len(k) - 1} {
					assert.Regexp(t, "can't run this command|ACL failure in script", errorOf(t, err, i)) // before Redis 8, and since
				}
			})
			t.Run("F6 G1 G2 the longest life there is", func(t *testing.T) {
				w := newWrites(k)
				require.NoError(t, c.Set(ctx, w, math.MaxInt64))
				assert.Equal(t, every(len(k), 1), w.stored)
			})
			t.Run("F11 out of memory: writes fail at once, reads go on", func(t *testing.T) {
				stored(k)
				do("CONFIG", "SET", "maxmemory", "1")
				defer do("CONFIG", "SET", "maxmemory", "0")
				waits := c.Stats().Waits
				other := tagged(tags[1][0], 2)
				w := newWrites(append(append(keys{}, k...), other...))
				err := c.Set(ctx, w, time.Hour)
				assert.ErrorContains(t, errorOf(t, err, 0), "OOM")
				assert.Equal(t, append(every(len(k), 0), 1, 1), w.stored)
				assert.Equal(t, waits, c.Stats().Waits)
				r := newReads(t, k)
				require.NoError(t, c.Get(ctx, r))
				assert.Equal(t, values(k), r.got)
			})
			t.Run("F10 a node busy with a script", func(t *testing.T) {
				stored(append(append(keys{}, k...), tagged(tags[1][0], 2)...))
				nc, err := conn.Dial(ctx, node.Addr, nil)
				require.NoError(t, err)
				defer nc.Close()
				busy := make(chan error)
				go func() {
					ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
					defer cancel()
					_, err := nc.Do(ctx, "EVAL", "while true do end", "0")
					busy <- err
				}()
				both := append(append(keys{}, k...), tagged(tags[1][0], 2)...)
				require.Eventually(t, func() bool {
					ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
					defer cancel()
					r := newReads(t, both)
					err := c.Get(ctx, r)
					assert.Equal(t, values(both[len(k):]), r.got[len(k):], "the other node answers")
					return err != nil && strings.Contains(err.Error(), "BUSY")
				}, 20*time.Second, time.Millisecond)
				for _, n := range cluster.Nodes() {
					stats, err := n.CommandStats()
					require.True(t, err != nil || stats["script|kill"].Calls == 0, "it is not ours to kill scripts")
				}
				do("SCRIPT", "KILL")
				require.ErrorContains(t, <-busy, "killed")
				require.Eventually(t, func() bool {
					r := newReads(t, both)
					return c.Get(ctx, r) == nil && fmt.Sprint(r.got) == fmt.Sprint(values(both))
				}, 10*time.Second, time.Millisecond)
			})
			t.Run("F1 a restarted node", func(t *testing.T) {
				stored(k)
				require.NoError(t, node.Kill())
				require.NoError(t, node.Restart(ctx))
				require.NoError(t, cluster.WaitReady(ctx))
				require.Eventually(t, func() bool { return c.Set(ctx, newWrites(k), time.Hour) == nil }, 10*time.Second, time.Millisecond)
				stored(k)
			})
		})
	}
}
