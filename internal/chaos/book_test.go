package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/slotcast/slotcast/routecache"
)

const (
	mySlot  = 5
	sec     = moment(time.Second)
	testTTL = 60 * time.Second
)

// testBook returns a book with one entry, of which one write was issued.
func testBook(t *testing.T) *book {
	b := newBook(1, t.Logf)
	b.entries[0].slot, b.entries[0].ttl = mySlot, testTTL
	b.entries[0].pair = routecache.Pair{Origin: 1, Dest: 2}
	b.issue(0)
	return b
}

func (b *book) store(begun, done moment) { b.stored(0, write{1, begun, done}) }
func (b *book) miss(begun, done moment) {
	b.answered(0, routecache.Answer{State: routecache.Miss}, begun, done)
}

func TestMisses(t *testing.T) {
	mine, other := []uint16{mySlot}, []uint16{mySlot + 1}
	for _, test := range []struct {
		name  string
		tell  func(b *book)
		false int64
	}{
		{"never written", func(b *book) { b.miss(1*sec, 2*sec) }, 0},
		{"written before", func(b *book) { b.store(1*sec, 2*sec); b.miss(3*sec, 4*sec) }, 1},
		{"twice", func(b *book) { b.store(1*sec, 2*sec); b.miss(3*sec, 4*sec); b.miss(5*sec, 6*sec) }, 2},
		{"acknowledged after the read began", func(b *book) { b.store(1*sec, 4*sec); b.miss(3*sec, 5*sec) }, 0},
		{"written after", func(b *book) { b.store(5*sec, 6*sec); b.miss(3*sec, 4*sec) }, 0},
		{"expired", func(b *book) { b.store(1*sec, 2*sec); b.miss(3*sec, 61*sec) }, 0},
		{"about to expire", func(b *book) { b.store(1*sec, 2*sec); b.miss(3*sec, 61*sec-grace) }, 0},
		{"not expired yet", func(b *book) { b.store(1*sec, 2*sec); b.miss(3*sec, 60*sec) }, 1},
		{"written again before it expired", func(b *book) { b.store(1*sec, 2*sec); b.store(30*sec, 31*sec); b.miss(61*sec, 62*sec) }, 1},

		{"lost with its primary", func(b *book) {
			b.store(1*sec, 2*sec)
			b.lose(mine, 3*sec, 4*sec)
			b.miss(5*sec, 6*sec)
		}, 0},
		{"lost, the miss comes first", func(b *book) {
			b.store(1*sec, 2*sec)
			b.miss(3*sec, 4*sec)
			b.lose(mine, 3*sec, 4*sec)
		}, 0},
		{"the read had ended when it was lost", func(b *book) {
			b.store(1*sec, 2*sec)
			b.miss(3*sec, 4*sec)
			b.lose(mine, 5*sec, 6*sec)
		}, 1},
		{"another slot was lost", func(b *book) {
			b.store(1*sec, 2*sec)
			b.lose(other, 3*sec, 4*sec)
			b.miss(5*sec, 6*sec)
		}, 1},
		{"on the replica", func(b *book) {
			b.store(1*sec, 2*sec)
			b.secure(mine, 2*sec)
			b.lose(mine, 3*sec, 4*sec)
			b.miss(5*sec, 6*sec)
		}, 1},
		{"acknowledged after the replica was asked", func(b *book) {
			b.secure(mine, 2*sec)
			b.store(1*sec, 3*sec)
			b.lose(mine, 3*sec, 4*sec)
			b.miss(5*sec, 6*sec)
		}, 0},
		{"the replica took over and was lost too", func(b *book) {
			b.store(1*sec, 2*sec)
			b.secure(mine, 2*sec)
			b.lose(mine, 3*sec, 4*sec)
			b.lose(mine, 5*sec, 6*sec)
			b.miss(7*sec, 8*sec)
		}, 0},
		{"the slot moved on to a primary whose replica was not asked", func(b *book) {
			b.store(1*sec, 2*sec)
			b.secure(mine, 2*sec)
			b.unsecure(mySlot)
			b.lose(mine, 3*sec, 4*sec)
			b.miss(5*sec, 6*sec)
		}, 0},
		{"moved on without a loss", func(b *book) {
			b.store(1*sec, 2*sec)
			b.unsecure(mySlot)
			b.miss(5*sec, 6*sec)
		}, 1},
		{"written to the dead primary, acknowledged late", func(b *book) {
			b.lose(mine, 3*sec, 4*sec)
			b.store(2*sec, 5*sec)
			b.miss(6*sec, 7*sec)
		}, 0},
		{"written to its successor", func(b *book) {
			b.lose(mine, 3*sec, 4*sec)
			b.store(4*sec, 5*sec)
			b.miss(6*sec, 7*sec)
		}, 1},
		{"all is lost", func(b *book) {
			b.store(1*sec, 2*sec)
			b.secure(mine, 2*sec)
			b.loseAll(mine, 3*sec, 4*sec)
			b.miss(5*sec, 6*sec)
		}, 0},
		{"handed over", func(b *book) {
			b.store(1*sec, 2*sec)
			b.handOver(mine, 3*sec, 4*sec)
			b.miss(5*sec, 6*sec)
		}, 1},
		{"written while handed over", func(b *book) {
			b.store(3*sec, 4*sec)
			b.handOver(mine, 3*sec, 5*sec)
			b.miss(4*sec, 6*sec)
		}, 0},
		{"one of two losses spares each write", func(b *book) {
			b.store(1*sec, 2*sec)
			b.secure(mine, 2*sec)
			b.store(4*sec, 5*sec)
			b.miss(6*sec, 9*sec)
			b.lose(mine, 3*sec, 6*sec)    // spares the first
			b.loseAll(mine, 3*sec, 4*sec) // spares the second
		}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := testBook(t)
			test.tell(b)
			assert.Zero(t, b.falseMisses.Load(), "judged too early")
			b.settle()
			b.settle()
			assert.Equal(t, test.false, b.falseMisses.Load())
			assert.Zero(t, b.wrong.Load())
		})
	}
}

func TestHits(t *testing.T) {
	mine := routecache.Pair{Origin: 1, Dest: 2}
	hit := func(e routecache.Estimate) routecache.Answer {
		return routecache.Answer{Estimate: e, State: routecache.Hit}
	}
	for _, test := range []struct {
		name           string
		answer         routecache.Answer
		begun          moment
		wrong, certain int64
	}{
		{"right", hit(proof(mine, 1)), 3 * sec, 0, 1},
		{"right, from before the acknowledgement", hit(proof(mine, 1)), 1 * sec, 0, 0},
		{"foreign", hit(proof(routecache.Pair{Origin: 1, Dest: 3}, 1)), 3 * sec, 1, 0},
		{"torn", hit(routecache.Estimate{Seconds: proof(mine, 1).Seconds, Metres: proof(mine, 2).Metres}), 3 * sec, 1, 0},
		{"a version that was never written", hit(proof(mine, 2)), 3 * sec, 1, 0},
		{"version zero", hit(proof(mine, 0)), 3 * sec, 1, 0},
		{"failed", routecache.Answer{}, 3 * sec, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := testBook(t)
			b.store(1*sec, 2*sec)
			b.answered(0, test.answer, test.begun, test.begun+sec)
			b.settle()
			assert.Equal(t, test.wrong, b.wrong.Load())
			assert.Equal(t, test.certain, b.certain.Load())
			assert.Zero(t, b.falseMisses.Load())
		})
	}
}

func TestTheBookForgets(t *testing.T) {
	b := testBook(t)
	e := &b.entries[0]
	for i := range moment(100) {
		b.store(i*sec, i*sec+1)
		b.secure([]uint16{mySlot}, i*sec+1)
	}
	// What a call under way can still have to do with, and what was the newest before.
	assert.LessOrEqual(t, len(e.writes), int(longestCall/sec)+2)
	assert.True(t, e.present(100*sec, 100*sec))

	b = testBook(t)
	e = &b.entries[0]
	b.secure([]uint16{mySlot}, 1*sec)
	for i := range moment(100) {
		b.store(i*sec, i*sec+1)
	}
	assert.Greater(t, len(e.writes), 98, "a loss would leave nothing")
}

func TestWeak(t *testing.T) {
	b := testBook(t)
	assert.Equal(t, []int{0}, b.weak(0, 1))
	b.store(0, 0)
	assert.Empty(t, b.weak(0, 1))
	b.loseAll([]uint16{mySlot}, 0, b.now())
	assert.Equal(t, []int{0}, b.weak(0, 1))
}
