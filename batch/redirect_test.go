package batch_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

// Redirects are followed: where to is the redirect's own business, that every item gets its answer is ours.
func TestRedirects(t *testing.T) {
	ctx := context.Background()

	t.Run("D3 D6 every command behind an ASK has its own ASKING, and the slot stays where it is", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 2)
		c := openFake(t, fake, batch.Config{})
		k := tagged(fake.Tag(0, 0), 3)
		put(fake.Node(1), k)
		fake.Migrate(k.Slot(0), 1)
		r := newReads(t, k)
		require.NoError(t, c.Get(ctx, r))
		assert.Equal(t, values(k), r.got)
		assert.Equal(t, [][]string{
			{"MGET " + strings.Join(k, " ")},
			{"ASKING", "GET " + k[0], "ASKING", "GET " + k[1], "ASKING", "GET " + k[2]},
		}, logs(fake))

		require.NoError(t, c.Get(ctx, newReads(t, k)))
		assert.Equal(t, [][]string{
			{"GET " + k[0], "GET " + k[1], "GET " + k[2]},
			{"ASKING", "GET " + k[0], "ASKING", "GET " + k[1], "ASKING", "GET " + k[2]},
		}, logs(fake), "ASK changes no map")
		assert.Zero(t, c.Stats().Moved)
	})

	t.Run("D6 D13 MOVED changes the map, for reads and writes", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 2)
		c := openFake(t, fake, batch.Config{})
		k := tagged(fake.Tag(0, 0), 3)
		fake.Give(k.Slot(0), 1)
		w := newWrites(k)
		require.NoError(t, c.Set(ctx, w, time.Minute))
		assert.Equal(t, every(3, 1), w.stored)
		assert.Equal(t, [][]string{
			{"SCRIPT LOAD", "EVALSHA " + strings.Join(k, " ")},
			{"SCRIPT LOAD", "EVALSHA " + strings.Join(k, " ")},
		}, logs(fake))

		r := newReads(t, k)
		require.NoError(t, c.Get(ctx, r))
		assert.Equal(t, values(k), r.got)
		assert.Equal(t, [][]string{nil, {"MGET " + strings.Join(k, " ")}}, logs(fake))
	})

	t.Run("D13 a read that is moved", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 2)
		c := openFake(t, fake, batch.Config{})
		k := tagged(fake.Tag(0, 0), 3)
		put(fake.Node(1), k[:2])
		fake.Give(k.Slot(0), 1)
		r := newReads(t, k)
		require.NoError(t, c.Get(ctx, r))
		assert.Equal(t, append(values(k[:2]), missing), r.got)
	})

	t.Run("D4 the target of an ASK sends on", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 3)
		c := openFake(t, fake, batch.Config{})
		k := tagged(fake.Tag(0, 0), 1)
		slot := k.Slot(0)
		put(fake.Node(2), k)
		fake.Node(0).On(errorFor("GET", fmt.Sprintf("ASK %d %s", slot, fake.Node(1).Addr()), 1))
		fake.Node(1).On(errorFor("GET", fmt.Sprintf("ASK %d %s", slot, fake.Node(2).Addr()), 1))
		fake.Node(2).On(errorFor("GET", fmt.Sprintf("MOVED %d %s", slot, fake.Node(0).Addr()), 1))
		fake.Give(slot, 2)
		r := newReads(t, k)
		require.NoError(t, c.Get(ctx, r))
		assert.Equal(t, values(k), r.got)
		get := "GET " + k[0]
		assert.Equal(t, [][]string{{get, get}, {"ASKING", get}, {"ASKING", get, get}}, logs(fake),
			"ASKING goes out for ASK and not for MOVED")
	})

	t.Run("D5 ASKING is refused", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 2)
		c := openFake(t, fake, batch.Config{})
		k := append(tagged(fake.Tag(0, 0), 1), tagged(fake.Tag(1, 0), 1)...)
		fake.Migrate(k.Slot(0), 1)
		put(fake.Node(1), k[1:])
		fake.Node(1).On(errorFor("ASKING", "NOPERM this user has no permissions to run the 'asking' command", -1))
		r := newReads(t, k)
		err := c.Get(ctx, r)
		assert.Equal(t, []string{nothing, "v-" + k[1]}, r.got)
		assert.ErrorContains(t, err, "ASKING refused")
		assert.ErrorContains(t, err, "NOPERM")
		assert.Zero(t, c.Stats().Moved, "the MOVED behind it is not followed")
	})
}

// Where a redirect leads.
func TestRedirectTargets(t *testing.T) {
	ctx := context.Background()
	for _, test := range []struct {
		name string
		line func(slot uint16, port int) string
		want int // node that answers in the end
		err  string
	}{
		{"D7 no host: the one that answered", func(slot uint16, port int) string { return fmt.Sprintf("MOVED %d :%d", slot, port) }, 1, ""},
		{"D7 ASK without host", func(slot uint16, port int) string { return fmt.Sprintf("ASK %d :%d", slot, port) }, 1, ""},
		{"D8 unknown host: the topology tells", func(slot uint16, port int) string { return fmt.Sprintf("MOVED %d ?:%d", slot, port) }, 0, ""},
		{"D8 ASK to an unknown host", func(slot uint16, port int) string { return fmt.Sprintf("ASK %d ?:%d", slot, port) }, 0, ""},
		{"D9 a host name", func(slot uint16, port int) string { return fmt.Sprintf("MOVED %d localhost:%d", slot, port) }, 1, ""},
		{"D9 malformed: no slot", func(_ uint16, port int) string { return fmt.Sprintf("MOVED 127.0.0.1:%d", port) }, -1, "MOVED"},
		{"D9 malformed: nothing", func(uint16, int) string { return "MOVED" }, -1, "MOVED"},
		{"D9 malformed: port 0", func(slot uint16, _ int) string { return fmt.Sprintf("ASK %d 127.0.0.1:0", slot) }, -1, "ASK"},
		{"D9 malformed: port 70000", func(slot uint16, _ int) string { return fmt.Sprintf("MOVED %d 127.0.0.1:70000", slot) }, -1, "MOVED"},
		{"D9 malformed: slot 16384", func(_ uint16, port int) string { return fmt.Sprintf("MOVED 16384 127.0.0.1:%d", port) }, -1, "16384"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fake := fakeredis.StartCluster(t, 2)
			c := openFake(t, fake, batch.Config{})
			k := tagged(fake.Tag(0, 0), 1)
			fake.Node(0).Put(k[0], "0")
			fake.Node(1).Put(k[0], "1")
			fake.Node(0).On(errorFor("GET", test.line(k.Slot(0), fake.Node(1).Port()), 1))
			fake.Node(1).On(func(_ *fakeredis.Peer, cmd []string) ([]byte, bool) {
				return []byte("$1\r\n1\r\n"), cmd[0] == "GET"
			})
			r := newReads(t, k)
			err := c.Get(ctx, r)
			if test.err != "" {
				assert.ErrorContains(t, err, test.err)
				assert.Equal(t, []string{nothing}, r.got)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, []string{fmt.Sprint(test.want)}, r.got)
		})
	}

	t.Run("D9 an IPv6 host without brackets", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 2)
		var dial redialler
		c := openFake(t, fake, batch.Config{Conn: dial.config("[2001:db8::1]:7001", fake.Node(1).Addr())})
		k := tagged(fake.Tag(0, 0), 1)
		put(fake.Node(1), k)
		fake.Give(k.Slot(0), 1)
		fake.Node(0).On(errorFor("GET", fmt.Sprintf("MOVED %d 2001:db8::1:7001", k.Slot(0)), 1))
		r := newReads(t, k)
		require.NoError(t, c.Get(ctx, r))
		assert.Equal(t, values(k), r.got)
		assert.True(t, dial.used.Load())
	})

	t.Run("B6 the server hashes by another rule", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 2)
		c := openFake(t, fake, batch.Config{})
		k := tagged(fake.Tag(0, 0), 2)
		other := crc16.Slot(fake.Tag(1, 0))
		fake.Node(0).On(errorFor("MGET", fmt.Sprintf("MOVED %d %s", other, fake.Node(1).Addr()), -1))
		fake.Node(1).On(replyFor("MGET", "*2\r\n$1\r\na\r\n$1\r\nb\r\n", -1))
		for range 3 {
			r := newReads(t, k)
			require.NoError(t, c.Get(ctx, r))
			assert.Equal(t, []string{"a", "b"}, r.got)
		}
		assert.EqualValues(t, 0, c.Topology().ShardOf(k.Slot(0)), "our slot stays where the map has it")
	})
}

func TestRedirectLoops(t *testing.T) {
	ctx := context.Background()

	t.Run("D11 two nodes point to each other", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 3)
		c := openFake(t, fake, batch.Config{MaxRedirects: 4})
		k := append(tagged(fake.Tag(0, 0), 2), tagged(fake.Tag(2, 0), 2)...)
		put(fake.Node(2), k[2:])
		fake.Node(0).On(errorFor("MGET", fmt.Sprintf("MOVED %d %s", k.Slot(0), fake.Node(1).Addr()), -1))
		fake.Node(1).On(errorFor("MGET", fmt.Sprintf("MOVED %d %s", k.Slot(0), fake.Node(0).Addr()), -1))
		r := newReads(t, k)
		err := c.Get(ctx, r)
		assert.ErrorIs(t, err, batch.ErrRedirects)
		assert.ErrorContains(t, err, fmt.Sprintf("MOVED %d", k.Slot(0)), "the last redirect is told")
		assert.Equal(t, append(every(2, nothing), values(k[2:])...), r.got)
		logs := logs(fake)
		assert.Equal(t, 5, len(logs[0])+len(logs[1]), "the first and four more")
	})

	t.Run("D10 a node that points to itself is dialled anew", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 1)
		c := openFake(t, fake, batch.Config{})
		k := tagged("a", 2)
		put(fake.Node(0), k)
		require.NoError(t, c.Get(ctx, newReads(t, k)))
		before := fake.Node(0).Accepted()
		var first *fakeredis.Peer
		fake.Node(0).On(func(p *fakeredis.Peer, cmd []string) ([]byte, bool) {
			if cmd[0] != "MGET" || first != nil && first != p {
				return nil, false
			}
			first = p // the connection that leads to the wrong backend
			return resp.AppendError(nil, fmt.Sprintf("MOVED %d %s", k.Slot(0), fake.Node(0).Addr())), true
		})
		r := newReads(t, k)
		require.NoError(t, c.Get(ctx, r))
		assert.Equal(t, values(k), r.got)
		assert.Greater(t, fake.Node(0).Accepted(), before)
	})

	t.Run("D10 and once only", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 1)
		c := openFake(t, fake, batch.Config{})
		k := tagged("a", 2)
		fake.Node(0).On(errorFor("MGET", fmt.Sprintf("MOVED %d %s", k.Slot(0), fake.Node(0).Addr()), -1))
		err := c.Get(ctx, newReads(t, k))
		assert.ErrorIs(t, err, batch.ErrRedirects)
		assert.Len(t, fake.Node(0).Log(), 2)
	})

	t.Run("D12 a redirect is followed at once", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 2)
		var seen trips
		c := openFake(t, fake, batch.Config{Trace: seen.trace()})
		k := tagged(fake.Tag(0, 0), 2)
		require.NoError(t, c.Get(ctx, newReads(t, append(k, tagged(fake.Tag(1, 0), 2)...))))
		seen.take()
		// A deadline that any wait would miss: the first one is 2.5 ms at least. One of several tries must be in time.
		assert.Eventually(t, func() bool {
			fake.Give(k.Slot(0), 1-fake.Owner(k.Slot(0)))
			ctx, cancel := context.WithTimeout(ctx, 2400*time.Microsecond)
			defer cancel()
			seen.take()
			return c.Get(ctx, newReads(t, k)) == nil && len(seen.take()) == 2
		}, 10*time.Second, time.Millisecond)
	})

	t.Run("C18 D20 ten thousand MOVED cost few topology calls", func(t *testing.T) {
		fake := fakeredis.StartCluster(t, 2)
		c := openFake(t, fake, batch.Config{})
		var k keys
		for i := 0; len(k) < 10_000; i++ {
			if key := fmt.Sprint("k", i); fake.Owner(crc16.Slot(key)) == 0 {
				k = append(k, key)
			}
		}
		put(fake.Node(1), k)
		for slot := range uint16(crc16.SlotCount) {
			fake.Give(slot, 1)
		}
		before := fake.Views()
		r := newReads(t, k)
		require.NoError(t, c.Get(ctx, r))
		assert.Equal(t, values(k), r.got)
		assert.Greater(t, c.Stats().Moved, int64(4000), "one per slot")
		assert.LessOrEqual(t, fake.Views()-before, 5)
		m := c.Topology()
		assert.Equal(t, fake.Node(1).Addr(), m.Shards()[m.ShardOf(0)].Primary.Addr)
	})
}

// errorOf is the cause of item i.
func errorOf(t testing.TB, err error, i int) error {
	t.Helper()
	var failed *batch.Error
	require.True(t, errors.As(err, &failed), "%v", err)
	return failed.Cause(i)
}
