package batch_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/internal/redistest"
)

// A slot that is being migrated, over fakes that behave as the servers do.
func TestMigratingSlot(t *testing.T) {
	type world struct {
		fake           *fakeredis.Cluster
		c              *batch.Client
		seen           *trips
		moving, others keys // in the slot that migrates from node 0 to 1, and elsewhere
	}
	run := func(name string, test func(t *testing.T, w *world)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &world{fake: fakeredis.NewCluster(3), seen: new(trips)}
				w.c = openFake(t, w.fake, batch.Config{Trace: w.seen.trace()})
				w.moving = tagged(w.fake.Tag(0, 0), 6) // 0 and 1 are still here, 2 and 3 there, 4 and 5 absent
				put(w.fake.Node(0), w.moving[:2])
				put(w.fake.Node(1), w.moving[2:4])
				w.others = append(tagged(w.fake.Tag(0, 1), 2), tagged(w.fake.Tag(2, 0), 2)...)
				put(w.fake.Node(0), w.others[:2])
				put(w.fake.Node(2), w.others[2:])
				w.fake.Migrate(w.moving.Slot(0), 1)
				time.Sleep(time.Minute)
				test(t, w)
			})
		})
	}
	all := func(prefix string, k keys) (out []string) {
		for _, key := range k {
			out = append(out, prefix+key)
		}
		return out
	}

	run("D2 reads: present keys are hits, absent ones misses, in three round trips and no wait", func(t *testing.T, w *world) {
		k := append(append(keys{}, w.moving...), w.others...)
		want := append(append(values(w.moving[:4]), missing, missing), values(w.others)...)
		asks := strings.Split("ASKING,"+strings.Join(all("GET ", w.moving[2:]), ",ASKING,"), ",")
		start := time.Now()
		r := newReads(t, k)
		require.NoError(t, w.c.Get(t.Context(), r))
		assert.Equal(t, want, r.got)
		assert.Equal(t, [][]string{
			append([]string{"MGET " + strings.Join(w.moving, " "), "MGET " + strings.Join(w.others[:2], " ")}, all("GET ", w.moving)...),
			asks,
			{"MGET " + strings.Join(w.others[2:], " ")},
		}, logs(w.fake), "other groups are not touched")
		assert.Len(t, w.seen.take(), 4, "node 0 twice, node 1 and 2 once")

		r = newReads(t, k)
		require.NoError(t, w.c.Get(t.Context(), r))
		assert.Equal(t, want, r.got)
		assert.Equal(t, [][]string{
			append([]string{"MGET " + strings.Join(w.others[:2], " ")}, all("GET ", w.moving)...),
			asks,
			{"MGET " + strings.Join(w.others[2:], " ")},
		}, logs(w.fake), "the slot is remembered: key by key from the start")
		assert.Len(t, w.seen.take(), 3)
		assert.Zero(t, w.c.Stats().Waits)
		assert.Less(t, time.Since(start), time.Millisecond)
	})

	run("D2 writes: three round trips and no wait", func(t *testing.T, w *world) {
		k := append(append(keys{}, w.moving...), w.others...)
		start := time.Now()
		for range 2 {
			stored := newWrites(k)
			require.NoError(t, w.c.Set(t.Context(), stored, time.Minute))
			assert.Equal(t, every(len(k), 1), stored.stored)
		}
		for i, key := range w.moving {
			_, here := w.fake.Node(0).Value(key)
			_, there := w.fake.Node(1).Value(key)
			assert.Equal(t, []bool{i < 2, i >= 2}, []bool{here, there}, "key %d is where the next reader finds it", i)
		}
		assert.Zero(t, w.c.Stats().Waits)
		assert.Equal(t, int64(1), w.c.Stats().TryAgains, "the slot is remembered")
		assert.Len(t, w.seen.take(), 4+3)
		assert.Less(t, time.Since(start), time.Millisecond)
	})

	run("D2 all keys absent: two round trips", func(t *testing.T, w *world) {
		r := newReads(t, w.moving[4:])
		require.NoError(t, w.c.Get(t.Context(), r))
		assert.Equal(t, every(2, missing), r.got)
		assert.Len(t, w.seen.take(), 2)
	})

	run("D2 a node that says TRYAGAIN to any two keys for ever", func(t *testing.T, w *world) {
		w.fake.Node(0).On(errorFor("MGET", "TRYAGAIN Multiple keys request during rehashing of slot", -1))
		r := newReads(t, w.moving)
		require.NoError(t, w.c.Get(t.Context(), r))
		assert.Equal(t, append(values(w.moving[:4]), missing, missing), r.got)
	})

	run("D2 the slot is forgotten some time after the last word of its migration", func(t *testing.T, w *world) {
		require.NoError(t, w.c.Get(t.Context(), newReads(t, w.moving)))
		for _, key := range w.moving[:2] {
			w.fake.Node(1).Put(key, "v-"+key)
		}
		w.fake.Give(w.moving.Slot(0), 1)
		time.Sleep(6 * time.Second)
		logs(w.fake)
		r := newReads(t, w.moving)
		require.NoError(t, w.c.Get(t.Context(), r))
		assert.Equal(t, append(values(w.moving[:4]), missing, missing), r.got)
		mget := "MGET " + strings.Join(w.moving, " ")
		assert.Equal(t, [][]string{{mget}, {mget}, nil}, logs(w.fake))
	})

	run("D21 writes: MOVED, NOSCRIPT, then the migration begins", func(t *testing.T, w *world) {
		// Node 2 owns the slot by now, lacks the script, and when it gets its text the slot migrates on to node 1, which
		// lacks it too.
		slot := w.moving.Slot(0)
		w.fake.Give(slot, 2)
		require.NoError(t, w.c.Set(t.Context(), newWrites(w.others), time.Minute)) // node 2 is known to have the script
		logs(w.fake)
		w.fake.Node(2).FlushScripts()
		w.fake.Node(2).On(func(_ *fakeredis.Peer, cmd []string) ([]byte, bool) {
			if cmd[0] == "EVAL" {
				w.fake.Migrate(slot, 1)
			}
			return nil, false
		})
		stored := newWrites(w.moving)
		require.NoError(t, w.c.Set(t.Context(), stored, time.Minute))
		assert.Equal(t, every(6, 1), stored.stored)
		keys := strings.Join(w.moving, " ")
		got := logs(w.fake)
		assert.Equal(t, []string{"EVALSHA " + keys}, got[0], "moved")
		assert.Equal(t, []string{"EVALSHA " + keys, "EVAL " + keys}, got[2], "no script; then asked")
		assert.Len(t, got[1], 12, "ASKING and SET for each key")
	})
}

// The whole migration of a slot key by key, on every kind of server there is, under readers and a writer.
func TestMigrationUnderLoad(t *testing.T) {
	for _, binary := range redistest.Binaries() {
		t.Run("D2 D19 "+filepath.Base(binary), func(t *testing.T) {
			cluster := redistest.Start(t, redistest.Config{Primaries: 3, Binary: binary})
			var nodes atomic.Int32 // round trips of the reader's calls
			trace := &batch.Trace{NodeDone: func(batch.NodeInfo) { nodes.Add(1) }}
			reader := open(t, batch.Config{Addrs: cluster.Addrs(), Trace: trace})
			writer := open(t, batch.Config{Addrs: cluster.Addrs()})
			ctx := t.Context()
			tags := oneTagPer(reader, 2)
			k := tagged(tags[0][0], 60)
			absent := make(keys, 20)
			for i := range absent {
				absent[i] = fmt.Sprintf("{%s}absent%d", tags[0][0], i)
			}
			others := append(tagged(tags[0][1], 20), tagged(tags[2][0], 20)...)
			require.NoError(t, writer.Set(ctx, newWrites(append(append(keys{}, k...), others...)), time.Hour))

			asked := append(append(append(keys{}, k...), absent...), others...)
			want := append(append(values(k), every(len(absent), missing)...), values(others)...)
			written := make(keys, 40)
			for i := range written {
				written[i] = fmt.Sprintf("{%s}w%d", tags[0][0], i)
			}
			check := func(when string) {
				nodes.Store(0)
				r := newReads(t, asked)
				require.NoError(t, reader.Get(ctx, r), when)
				require.Equal(t, want, r.got, when)
				require.LessOrEqual(t, nodes.Load(), int32(4), "%s: node 0 at most twice, the target once, the third once", when)
				w := newWrites(written)
				require.NoError(t, writer.Set(ctx, w, time.Hour), when)
				require.Equal(t, every(len(written), 1), w.stored, when)
				r = newReads(t, written)
				require.NoError(t, reader.Get(ctx, r), when)
				require.Equal(t, values(written), r.got, when)
			}

			check("before")
			// Others read and write all the time, not only between two moves.
			stop := make(chan struct{})
			var load sync.WaitGroup
			for range 3 {
				load.Go(func() {
					for {
						select {
						case <-stop:
							return
						default:
						}
						r, w := newReads(t, asked), newWrites(written)
						if assert.NoError(t, reader.Get(ctx, r)) {
							assert.Equal(t, want, r.got)
						}
						if assert.NoError(t, writer.Set(ctx, w, time.Hour)) {
							assert.Equal(t, every(len(written), 1), w.stored)
						}
					}
				})
			}
			quiet := func(when string) { // the count of round trips is of one call only while nobody else calls
				close(stop)
				load.Wait()
				stop = make(chan struct{})
				check(when)
			}
			from, to := cluster.Node(0), cluster.Node(1)
			m, err := cluster.BeginMigration(ctx, int(crc16.Slot(k[0])), from, to)
			require.NoError(t, err)
			quiet("begun")
			moved := 0
			require.NoError(t, m.MoveAll(ctx, func(string) {
				if moved++; moved%10 == 0 {
					check(fmt.Sprint(moved, " keys moved"))
				}
			}))
			check("all keys moved")
			require.NoError(t, m.Commit(ctx))
			check("after")
			assert.Zero(t, reader.Stats().Waits)
			assert.Zero(t, writer.Stats().Waits)
			assert.Zero(t, reader.Stats().Failed+writer.Stats().Failed)
		})
	}
}

// A thousand slots change hands at once, three times, under load. There is no ASK and no TRYAGAIN on the way: writes wait
// for an instant, and then every slot is answered with MOVED.
func TestAtomicMigrationUnderLoad(t *testing.T) {
	for _, binary := range redistest.Binaries() {
		t.Run("D20 "+filepath.Base(binary), func(t *testing.T) {
			cluster := redistest.Start(t, redistest.Config{Primaries: 3, Binary: binary})
			const slots = 1000 // the first ones, which the first node holds
			c := open(t, batch.Config{Addrs: cluster.Addrs()})
			ctx := t.Context()
			var k keys
			for i, moving := 0, 0; moving < 600; i++ {
				key := fmt.Sprint("pair", i)
				if crc16.Slot(key) < slots {
					moving++
				} else if i%20 != 0 {
					continue
				}
				k = append(k, key)
			}
			written := make(keys, 0, len(k))
			for _, key := range k {
				written = append(written, fmt.Sprintf("{%s}w", key))
			}
			require.NoError(t, c.Set(ctx, newWrites(k), time.Hour))
			node := cluster.Nodes()
			if err := cluster.MoveAtOnce(ctx, node[0], node[1], 0, slots-1); errors.Is(err, redistest.ErrNotAtomic) {
				t.Skip(err)
			} else {
				require.NoError(t, err)
			}

			var load sync.WaitGroup
			defer load.Wait()
			stop, cancel := context.WithCancel(ctx)
			defer cancel()
			var calls atomic.Int64
			for n := range 3 {
				load.Go(func() {
					mine := written[n*len(written)/3 : (n+1)*len(written)/3]
					for stop.Err() == nil {
						r, w := newReads(t, k), newWrites(mine)
						if assert.NoError(t, c.Get(ctx, r)) {
							assert.Equal(t, values(k), r.got)
						}
						if assert.NoError(t, c.Set(ctx, w, time.Hour)) {
							assert.Equal(t, every(len(mine), 1), w.stored)
						}
						r = newReads(t, mine)
						if assert.NoError(t, c.Get(ctx, r)) {
							assert.Equal(t, values(mine), r.got)
						}
						calls.Add(1)
					}
				})
			}
			ways := [][2]int{{1, 2}, {2, 0}, {0, 1}}
			before := c.Stats()
			for _, way := range ways {
				at := calls.Load()
				require.NoError(t, cluster.MoveAtOnce(ctx, node[way[0]], node[way[1]], 0, slots-1))
				require.Eventually(t, func() bool { return calls.Load() >= at+10 }, 20*time.Second, time.Millisecond)
			}
			cancel()
			load.Wait()
			after := c.Stats()
			t.Logf("%d rounds, MOVED %d, ASK %d, TRYAGAIN %d, waits %d, refreshes %d", calls.Load(), after.Moved-before.Moved,
				after.Asked, after.TryAgains, after.Waits, after.Refreshes-before.Refreshes)
			assert.Zero(t, after.Failed)
			assert.Greater(t, after.Moved-before.Moved, int64(len(ways)), "the client has seen it happen")
			assert.Less(t, after.Refreshes-before.Refreshes, int64(10*len(ways)), "not one for each MOVED")
		})
	}
}
