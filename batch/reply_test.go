package batch_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

// Replies that are not just the values: to the MGET or EVALSHA of three keys of one slot, or to the GET or SET of one.
// Behind it a second slot of the same node is asked for on the same connection; what becomes of that tells whether the
// stream is still trusted.
func TestReplies(t *testing.T) {
	const null = missing
	for _, test := range []struct {
		name    string
		command string // the one that is answered so; decides what is asked
		reply   string
		want    []string // per key; for writes "1" is stored
		err     string   // in the cause of what failed
		drops   bool     // the connection
	}{
		{"values and a null", "MGET", "*3\r\n$1\r\na\r\n$-1\r\n$0\r\n\r\n", []string{"a", null, ""}, "", false},
		{"A7 G11 empty is not absent", "GET", "$0\r\n\r\n", []string{""}, "", false},
		{"nulls of RESP2 and RESP3", "MGET", "*3\r\n$-1\r\n_\r\n*-1\r\n", []string{null, null, null}, "", false},
		{"A11 pushes before and behind", "MGET", ">2\r\n$10\r\ninvalidate\r\n_\r\n*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n>1\r\n+x\r\n",
			[]string{"a", "b", "c"}, "", false},
		{"A14 attributes", "MGET", "|1\r\n+ttl\r\n:1\r\n*3\r\n$1\r\na\r\n|1\r\n+x\r\n:1\r\n$1\r\nb\r\n$1\r\nc\r\n",
			[]string{"a", "b", "c"}, "", false},
		{"A17 an error in the array is one key's", "MGET", "*3\r\n$1\r\na\r\n-ERR upstream failure\r\n$1\r\nc\r\n",
			[]string{"a", nothing, "c"}, "ERR upstream failure", false},
		{"A17 a blob error in the array", "MGET", "*3\r\n$1\r\na\r\n!10\r\nSYNTAX a\r\n\r\n$1\r\nc\r\n",
			[]string{"a", nothing, "c"}, "SYNTAX a", false},
		{"E25 too few elements", "MGET", "*2\r\n$1\r\na\r\n$1\r\nb\r\n", every(3, nothing), "2 elements where 3", true},
		{"E25 too many elements", "MGET", "*4\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nd\r\n", every(3, nothing), "4 elements where 3", true},
		{"E25 a null array", "MGET", "*-1\r\n", every(3, nothing), "-1 elements where 3", true},
		{"A19 a nested array for a value", "MGET", "*3\r\n$1\r\na\r\n*0\r\n$1\r\nc\r\n", []string{"a", nothing, nothing}, "wrong shape", true},
		{"A18 a map", "MGET", "%1\r\n+a\r\n+b\r\n", every(3, nothing), "wrong shape", true},
		{"A20 E3 a status to MGET", "MGET", "+OK\r\n", every(3, nothing), "wrong shape", true},
		{"A20 E3 a status to GET", "GET", "+OK\r\n", []string{nothing}, "wrong shape", true},
		{"an integer to GET", "GET", ":1\r\n", []string{nothing}, "wrong shape", true},
		{"A8 no end behind a value", "MGET", "*3\r\n$1\r\nab\r\n$1\r\nb\r\n$1\r\nc\r\n", every(3, nothing), "", true},
		{"A2 a huge length", "GET", "$1152921504606846992\r\nabc", []string{nothing}, "", true},
		{"A1 a huge count", "MGET", "*2147483647\r\n", every(3, nothing), "", true},
		{"A9 a reply broken by a line end", "GET", "-ERR bad\r\narg x\r\n+OK\r\n", []string{nothing}, "ERR bad", true},

		{"all stored", "EVALSHA", ":3\r\n", []string{"1", "1", "1"}, "", false},
		{"F9 one key was not stored", "EVALSHA", "*3\r\n:1\r\n$21\r\nERR some keys may not\r\n:1\r\n",
			[]string{"1", nothing, "1"}, "ERR some keys may not", false},
		{"F9 F11 out of memory, in the manner of Redis 6", "EVALSHA",
			"*3\r\n:1\r\n$24\r\n-OOM command not allowed\r\n$24\r\n-OOM command not allowed\r\n", []string{"1", nothing, nothing}, "OOM command", false},
		{"A17 an error among what the script returns", "EVALSHA", "*3\r\n:1\r\n-ERR inner\r\n:1\r\n", []string{"1", nothing, "1"}, "ERR inner", false},
		{"F7 fewer keys than were sent", "EVALSHA", ":2\r\n", every(3, nothing), "2 keys stored of 3", true},
		{"F7 fewer elements than keys", "EVALSHA", "*2\r\n:1\r\n:1\r\n", every(3, nothing), "2 elements where 3", true},
		{"A22 null instead of the count", "EVALSHA", "_\r\n", every(3, nothing), "wrong shape", true},
		{"SET is acknowledged", "SET", "+OK\r\n", []string{"1"}, "", false},
		{"A20 SET is answered by another status", "SET", "+QUEUED\r\n", []string{nothing}, `"QUEUED" to SET`, true},
		{"SET is answered null", "SET", "$-1\r\n", []string{nothing}, "wrong shape", true},
		{"SET is answered by an integer", "SET", ":1\r\n", []string{nothing}, "wrong shape", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fake := fakeredis.NewCluster(1)
				c := openFake(t, fake, batch.Config{Conn: conn.Config{MaxConns: 1}})
				k := append(tagged("a", len(test.want)), "behind")
				put(fake.Node(0), k)
				if test.command == "EVALSHA" { // so that the node is known to have the script
					require.NoError(t, c.Set(t.Context(), newWrites(k), time.Minute))
				}
				fake.Node(0).On(replyFor(test.command, test.reply, 1))
				var err error
				got := every(len(k), nothing)
				behind := "v-behind"
				if strings.HasSuffix(test.command, "GET") {
					r := newReads(t, k)
					err = c.Get(t.Context(), r)
					got = r.got
				} else {
					behind = "1"
					w := newWrites(k)
					err = c.Set(t.Context(), w, time.Minute)
					for i, n := range w.stored {
						if n > 0 {
							got[i] = strings.Repeat("1", n)
						}
					}
				}
				if test.drops {
					behind = nothing
				}
				assert.Equal(t, append(append([]string{}, test.want...), behind), got)
				for i, v := range got {
					if v != nothing {
						assert.NoError(t, errorOf(t, orNone(err), i))
						continue
					}
					if cause := errorOf(t, err, i); i < len(test.want) {
						assert.ErrorContains(t, cause, test.err)
					} else {
						assert.Error(t, cause)
					}
				}

				dials := fake.Node(0).Dials()
				fake.Node(0).On(nil)
				r := newReads(t, k)
				require.NoError(t, c.Get(t.Context(), r), "the next call")
				assert.Equal(t, test.drops, fake.Node(0).Dials() > dials, "a new connection")
			})
		})
	}
}

// orNone is err, or a batch error without failed items.
func orNone(err error) error {
	if err == nil {
		return new(batch.Error)
	}
	return err
}

// A connection that ends in the middle of a reply, whose groups are then asked again.
func TestTruncatedReplies(t *testing.T) {
	for _, test := range []struct {
		name, reply string
	}{
		{"A21 in a value", "*4\r\n$10\r\nabc"},
		{"A21 between the elements", "*4\r\n$5\r\nv-{a}\r\n"},
		{"A21 in the header", "*"},
		{"A21 before anything", ""},
		{"E21 after an element", "*4\r\n$6\r\nv-{a}0\r\n$6\r\nv-{a}1\r\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fake := fakeredis.NewCluster(1)
				c := openFake(t, fake, batch.Config{})
				k := append(tagged("a", 4), "behind")
				put(fake.Node(0), k)
				broken := false
				fake.Node(0).On(func(p *fakeredis.Peer, cmd []string) ([]byte, bool) {
					if broken || cmd[0] != "MGET" {
						return nil, false
					}
					broken = true
					_, _ = p.Write([]byte(test.reply))
					_ = p.Close()
					return nil, true
				})
				r := newReads(t, k)
				require.NoError(t, c.Get(t.Context(), r))
				want := values(k)
				if test.name == "A21 between the elements" {
					want[0] = "v-{a}" // it was whole
				}
				assert.Equal(t, want, r.got)
				assert.Equal(t, int64(1), c.Stats().Lost)
			})
		})
	}

	t.Run("E23 G12 a write whose outcome is unknown is sent again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			fake := fakeredis.NewCluster(1)
			c := openFake(t, fake, batch.Config{})
			k := append(tagged("a", 3), "single")
			require.NoError(t, c.Set(t.Context(), newWrites(k), time.Minute))
			logs(fake)
			times := 0
			fake.Node(0).On(func(p *fakeredis.Peer, cmd []string) ([]byte, bool) {
				if times++; times > 1 {
					return nil, false
				}
				fake.Node(0).Answer(p, cmd) // it is stored, but nobody learns of it
				p.Die("")
				return nil, true
			})
			w := newWrites(k)
			require.NoError(t, c.Set(t.Context(), w, time.Minute))
			assert.Equal(t, every(4, 1), w.stored)
			assert.Equal(t, int64(1), c.Stats().Lost)
			assert.Zero(t, c.Stats().Waits, "at once the first time")
		})
	})

	t.Run("A21 for ever", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			fake := fakeredis.NewCluster(2)
			c := openFake(t, fake, batch.Config{MaxTries: 10})
			k := append(tagged(fake.Tag(0, 0), 64), tagged(fake.Tag(1, 0), 2)...)
			put(fake.Node(1), k[64:])
			fake.Node(0).On(func(p *fakeredis.Peer, cmd []string) ([]byte, bool) {
				if !strings.HasSuffix(cmd[0], "GET") {
					return nil, false
				}
				reply := "$10\r\nabc"
				if cmd[0] == "MGET" {
					reply = fmt.Sprintf("*%d\r\n", len(cmd)-1) + reply
				}
				p.Die(reply)
				return nil, true
			})
			r := newReads(t, k)
			err := c.Get(t.Context(), r)
			assert.Equal(t, append(every(64, nothing), values(k[64:])...), r.got)
			var failed *batch.Error
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, 64, failed.Failed)
			assert.NotErrorIs(t, err, batch.ErrShape)
			assert.True(t, errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, conn.ErrBreakerOpen), "%v", err)
			assert.LessOrEqual(t, len(fake.Node(0).Log()), 64*10, "each key is asked for so often at most")
			assert.LessOrEqual(t, fake.Node(0).Dials(), 20)
		})
	})

	t.Run("E21 a reply the server does not like to send whole: the group is halved", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			fake := fakeredis.NewCluster(1)
			c := openFake(t, fake, batch.Config{})
			k := tagged("a", 1000)
			put(fake.Node(0), k)
			fake.Node(0).On(func(p *fakeredis.Peer, cmd []string) ([]byte, bool) {
				if len(cmd) <= 300 {
					return nil, false
				}
				p.Die(string(resp.AppendArray(nil, len(cmd)-1))) // client-output-buffer-limit
				return nil, true
			})
			r := newReads(t, k)
			require.NoError(t, c.Get(t.Context(), r))
			assert.Equal(t, values(k), r.got)
		})
	})
}
