package fuzz_test

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/resp"
)

// The client of a conversation is impatient, so that few bytes of a script exhaust it.
const (
	callTimeout  = 5 * time.Second
	maxRedirects = 3
	maxTries     = 5

	// mostRounds is how often one item may be sent: once; for each redirect and each wait; twice for want of the script;
	// and once more when a group falls apart.
	mostRounds = 1 + maxRedirects + maxTries + 2 + 1
)

// FuzzConversation lets a cluster follow a script while a client gets and sets a batch. The script says what becomes of the
// commands, dials and questions about the topology that reach each node, in the order in which they do: redirects to
// anywhere, errors, replies that are cut off, late or of the wrong shape, silence, hang-ups, views of the cluster that are
// partial, wrong or another cluster's. Where it ends, the nodes behave. In some scenes nodes say something that nobody asked
// for between the calls. Time is that of a synctest bubble.
//
//   - Each call returns when its context ends or its time is up, at the latest.
//   - Of a Get each item is a hit, a miss or failed, and is told so once: answered by one Reply or counted in the Error,
//     with a cause. A hit is the value of the item's own key. A miss is a key that does not exist.
//   - Of a Set each item is stored or failed, in the same way. What is told to be stored has been.
//   - Nodes are never told to store another value than the item's own.
//   - No item is sent more often than the limits of redirects and tries allow.
//   - Once the nodes behave, the client is of use again within seconds, without any help: all present keys are hits, all
//     others are misses, and all are stored.
//   - Then no connection is in use, and Close leaves no goroutine behind.
func FuzzConversation(f *testing.F) {
	for _, tale := range tales {
		for _, shape := range sceneSeeds {
			f.Add(shape, tale)
		}
	}
	for do := range dials {
		f.Add(sceneSeeds[0], line(0, do, 0, 0, do, 12, 1, do, 1))
		f.Add(sceneSeeds[do%len(sceneSeeds)], line(0, behave, 0, 0, do, 9, 1, behave, 0, 1, do, 37))
		f.Add(sceneSeeds[5], line(0, do, 12, 1, do, 9, 2, do, 5, 3, do, 7, 0, hangUp, 0))
	}
	f.Fuzz(func(t *testing.T, shape uint16, script []byte) {
		synctest.Test(t, func(t *testing.T) { converse(t, newScene(shape), script) })
	})
}

func converse(t *testing.T, s *scene, script []byte) {
	fakes := newFakes(t, s)
	defer fakes.tasks.Wait()
	if s.fromTheStart {
		fakes.follow(script)
	}
	start := time.Now()
	c, err := batch.Open(t.Context(), batch.Config{
		Addrs:         fakes.addrs(),
		Conn:          conn.Config{Dial: fakes.dial, DialTimeout: 300 * time.Millisecond, Timeout: callTimeout, Limits: resp.Limits{Bulk: 1 << 20, Elements: 1000}},
		MaxRedirects:  maxRedirects,
		MaxTries:      maxTries,
		MaxKeys:       s.maxKeys,
		Window:        s.window,
		RefreshPeriod: -1,
		Logger:        slog.New(slog.DiscardHandler),
	})
	if took := time.Since(start); took > callTimeout {
		t.Fatalf("Open took %v", took)
	}
	if err != nil {
		if !s.fromTheStart {
			t.Fatal(err)
		}
		return
	}
	defer c.Close() // in vain, unless something fails
	if !s.fromTheStart {
		fakes.follow(script)
	}
	for call := range 3 {
		one(t, s, fakes, c, s.sets(call))
		if s.babble {
			fakes.babble()
		}
	}

	fakes.follow(nil)
	for _, set := range []bool{false, true} {
		for tries := 0; ; tries++ {
			b := newItems(t, s.nextKeys(), fakes)
			if err = b.call(t.Context(), c, set); err == nil {
				break
			}
			if tries == 10 {
				t.Fatalf("set %v: the client does not recover: %v", set, err)
			}
			time.Sleep(time.Second)
		}
	}
	synctest.Wait()
	for _, n := range c.Stats().Nodes {
		if n.InUse != 0 || n.Waiting != 0 || n.Open > n.Idle+n.Dialing+n.Draining {
			t.Fatalf("after all calls: %+v", n)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

// one makes one call under the script.
func one(t *testing.T, s *scene, fakes *fakes, c *batch.Client, set bool) {
	ctx, cancel := s.context(t.Context())
	defer cancel()
	fakes.count()
	b := newItems(t, s.nextKeys(), fakes)
	start := time.Now()
	err := b.call(ctx, c, set)
	if took := time.Since(start); took > s.patience() {
		t.Fatalf("set %v: the call took %v of %v: %v", set, took, s.patience(), err)
	}
	for key, n := range fakes.count() {
		if most := mostRounds * s.copies(); n > most {
			t.Fatalf("set %v: %q was sent %d times, %d at most: %v", set, key, n, most, err)
		}
	}
}
