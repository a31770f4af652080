package batch_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
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

// EnvConversations is how many conversations TestAnyConversation has; default 300.
const EnvConversations = "SLOTCAST_CONVERSATIONS"

// Whatever a cluster says, in whatever order, a call ends in time and in bounded rounds; each item is answered once, and
// by the truth, or has a cause.
func TestAnyConversation(t *testing.T) {
	n := 300
	if s := os.Getenv(EnvConversations); s != "" {
		var err error
		n, err = strconv.Atoi(s)
		require.NoError(t, err)
	}
	first := rand.Uint64N(1 << 32)
	for seed := first; seed < first+uint64(n) && !t.Failed(); seed++ {
		synctest.Test(t, func(t *testing.T) {
			converse(t, rand.New(rand.NewPCG(seed, 0)))
			if t.Failed() {
				t.Logf("seed %d", seed)
			}
		})
	}
}

// converse has one client make some calls of a cluster that does its worst.
func converse(t *testing.T, rng *rand.Rand) {
	fake := fakeredis.NewCluster(1 + rng.IntN(3))
	c := openFake(t, fake, batch.Config{
		MaxKeys: 1 + rng.IntN(8), Window: 1 + rng.IntN(400), MaxTries: 1 + rng.IntN(5), MaxRedirects: 1 + rng.IntN(5),
		Conn: conn.Config{MaxConns: 1 + rng.IntN(3), DialTimeout: time.Second},
	})
	var k keys
	for i := range fake.Nodes() {
		for tag := range 2 {
			k = append(k, tagged(fake.Tag(i, tag), 1+rng.IntN(6))...)
		}
	}
	rng.Shuffle(len(k), k.swap)
	present := make([]bool, len(k))
	for i := range k {
		if present[i] = rng.IntN(3) > 0; present[i] {
			for _, n := range fake.Nodes() { // whoever answers, the answer is the same
				put(n, k[i:i+1])
			}
		}
	}
	worst := newWorst(fake, rng)
	for range 1 + rng.IntN(4) {
		limit := time.Duration(1+rng.IntN(3000)) * time.Millisecond
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		if rng.IntN(4) == 0 {
			time.AfterFunc(limit/2, cancel)
		}
		start := time.Now()
		var done []bool
		var err error
		if rng.IntN(2) == 0 {
			done, err = readAll(t, ctx, c, k, present)
		} else {
			done, err = storeAll(t, ctx, c, fake, k, present)
		}
		cancel()
		// A look at a connection in memory takes 0.1 ms.
		assert.LessOrEqual(t, time.Since(start), limit+time.Millisecond, "the call ends in time")
		checkCauses(t, done, err)
		if rng.IntN(2) == 0 {
			time.Sleep(time.Duration(rng.IntN(3000)) * time.Millisecond)
		}
	}
	asked := 0
	for _, log := range logs(fake) {
		asked += len(log)
	}
	assert.LessOrEqual(t, asked, 4*len(k)*3*(5+5+3), "rounds are bounded")

	worst.relent()
	time.Sleep(10 * time.Second)
	for _, n := range c.Stats().Nodes {
		assert.Zero(t, n.InUse+n.Draining+n.Dialing+n.Waiting, "%+v", n)
	}
	done, err := readAll(t, t.Context(), c, k, present)
	require.NoError(t, err)
	assert.NotContains(t, done, false)
}

func (k keys) swap(i, j int) { k[i], k[j] = k[j], k[i] }

func readAll(t *testing.T, ctx context.Context, c *batch.Client, k keys, present []bool) (done []bool, err error) {
	r := newReads(t, k)
	err = c.Get(ctx, r)
	for i, got := range r.got {
		switch {
		case got == missing:
			assert.False(t, present[i], "a miss for key %d, which is everywhere", i)
		case got != nothing:
			assert.True(t, present[i], "a value for key %d, which is nowhere", i)
			assert.Equal(t, "v-"+k[i], got)
		}
		done = append(done, got != nothing)
	}
	return done, err
}

// storeAll stores the values that are there anyway, for the keys that are.
func storeAll(t *testing.T, ctx context.Context, c *batch.Client, fake *fakeredis.Cluster, k keys, present []bool) (done []bool, err error) {
	var some keys
	for i := range k {
		if present[i] {
			some = append(some, k[i])
		}
	}
	w := newWrites(some)
	err = c.Set(ctx, w, time.Minute)
	for i, n := range w.stored {
		assert.LessOrEqual(t, n, 1, "item %d is stored twice", i)
		done = append(done, n > 0)
	}
	return done, err
}

func checkCauses(t *testing.T, done []bool, err error) {
	failed := 0
	for _, ok := range done {
		if !ok {
			failed++
		}
	}
	if failed == 0 {
		assert.NoError(t, err)
		return
	}
	var some *batch.Error
	if !errors.As(err, &some) {
		assert.Equal(t, len(done), failed, "nothing was tried: %v", err)
		return
	}
	assert.Equal(t, failed, some.Failed)
	assert.Equal(t, len(done), some.Total)
	sum := 0
	for _, cause := range some.Causes {
		sum += cause.Failed
		assert.Error(t, cause.Err)
	}
	assert.Equal(t, failed, sum)
	for i, ok := range done {
		assert.Equal(t, ok, some.Cause(i) == nil, "the cause of item %d", i)
	}
}

// worst is what the nodes do when they do their worst.
type worst struct {
	fake   *fakeredis.Cluster
	mu     sync.Mutex
	rngs   []*rand.Rand // one per node
	silent sync.Map     // *fakeredis.Peer that answers no more
	done   chan struct{}
}

func newWorst(fake *fakeredis.Cluster, rng *rand.Rand) *worst {
	w := &worst{fake: fake, done: make(chan struct{})}
	for i, n := range fake.Nodes() {
		w.rngs = append(w.rngs, rand.New(rand.NewPCG(rng.Uint64(), 1)))
		likely := rng.IntN(100) // how often the node misbehaves, in percent
		n.On(func(p *fakeredis.Peer, cmd []string) ([]byte, bool) { return w.answer(i, likely, p, cmd) })
	}
	return w
}

// relent makes all nodes behave.
func (w *worst) relent() {
	close(w.done)
	for _, n := range w.fake.Nodes() {
		n.On(nil)
	}
}

func (w *worst) answer(i, likely int, p *fakeredis.Peer, cmd []string) ([]byte, bool) {
	w.mu.Lock()
	rng := w.rngs[i]
	misbehave, what, where, cut := rng.IntN(100) < likely, rng.IntN(20), rng.IntN(len(w.fake.Nodes())), rng.Float64()
	pause := time.Duration(rng.IntN(300)) * time.Millisecond
	w.mu.Unlock()
	if _, silent := w.silent.Load(p); silent {
		return nil, true // for good: replies that follow one that was left out would be taken for it, by any client
	}
	if !misbehave || cmd[0] == "CLUSTER" && what > 4 {
		return nil, false
	}
	n := w.fake.Node(i)
	slot := slotOf(cmd)
	say := func(line string) ([]byte, bool) { return resp.AppendError(nil, line), true }
	spoil := func(reply []byte) ([]byte, bool) {
		p.Die(string(reply))
		return nil, true
	}
	switch what {
	case 0:
		return spoil(nil)
	case 1:
		reply := n.Answer(p, cmd)
		return spoil(reply[:int(cut*float64(len(reply)))])
	case 2:
		select {
		case <-time.After(pause):
		case <-w.done:
		}
		return nil, false
	case 3:
		return append([]byte(">2\r\n+invalidate\r\n_\r\n"), n.Answer(p, cmd)...), true
	case 4:
		w.silent.Store(p, true)
		return nil, true
	case 5, 6:
		return say(fmt.Sprintf("MOVED %d %s", slot, w.fake.Node(where).Addr()))
	case 7, 8:
		return say(fmt.Sprintf("ASK %d %s", slot, w.fake.Node(where).Addr()))
	case 9:
		return say("TRYAGAIN Multiple keys request during rehashing of slot")
	case 10:
		return say("CLUSTERDOWN The cluster is down")
	case 11:
		return say("LOADING Redis is loading the dataset in memory")
	case 12:
		return say("BUSY Redis is busy running a script.")
	case 13:
		return say("READONLY You can't write against a read only replica.")
	case 14:
		return say("NOSCRIPT No matching script. Please use EVAL.")
	case 15:
		return say("OOM command not allowed when used memory > 'maxmemory'.")
	case 16, 17:
		if cmd[0] != "MGET" {
			return nil, false
		}
		out := resp.AppendArray(nil, len(cmd)-1) // some of its elements errors
		for at, key := range cmd[1:] {
			if int(cut*100)>>(at%7)&1 == 0 {
				out = append(out, n.Answer(p, []string{"GET", key})...)
			} else {
				out = resp.AppendError(out, fmt.Sprintf("MOVED %d %s", slot, w.fake.Node(where).Addr()))
			}
		}
		return out, true
	case 18:
		return []byte("*1\r\n*1\r\n:1\r\n"), true
	default:
		return say(fmt.Sprintf("MOVED %d ?:1", slot))
	}
}

// slotOf is the slot of a command, for redirects.
func slotOf(cmd []string) uint16 {
	switch cmd[0] {
	case "MGET", "GET", "SET":
		return keys{cmd[1]}.Slot(0)
	case "EVAL", "EVALSHA":
		return keys{cmd[3]}.Slot(0)
	}
	return 1
}
