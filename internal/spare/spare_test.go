package spare_test

import (
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/slotcast/slotcast/internal/spare"
)

func TestList(t *testing.T) {
	made := 0
	l := spare.NewList(10, func() *[]byte { made++; return new([]byte) })
	usual := l.Get(1)
	assert.Equal(t, 1, made)
	l.Put(usual, 10)
	for range 3 {
		runtime.GC()
	}
	assert.Same(t, usual, l.Get(1), "kept through collections of garbage")

	first, last := new([]byte), new([]byte)
	l.Put(first, 1)
	l.Put(last, 1)
	assert.Same(t, last, l.Get(1), "the last one first")
	assert.Same(t, first, l.Get(1))

	for range 100 {
		l.Put(new([]byte), 1)
	}
	made = 0
	for range 100 {
		l.Get(1)
	}
	assert.Equal(t, 36, made, "64 are kept")
}

// Whoever needs a large value is given one, so that no other has to grow; nobody goes without while there is any.
func TestListBySize(t *testing.T) {
	l := spare.NewList(10, func() *[]byte { return nil })
	small, large := new([]byte), new([]byte)
	l.Put(large, 11)
	l.Put(small, 10)
	assert.Same(t, large, l.Get(11))
	assert.Same(t, small, l.Get(11))
	assert.Nil(t, l.Get(11))

	l.Put(large, 11)
	l.Put(small, 10)
	assert.Same(t, small, l.Get(10))
	assert.Same(t, large, l.Get(10))
	assert.Nil(t, l.Get(10))
}

// Large values are let go when they have not been needed for 10 to 20 seconds.
func TestListLetsLargeOnesGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := 0
		l := spare.NewList(10, func() *[]byte { made++; return new([]byte) })
		use := func(n int) {
			values := make([]*[]byte, n)
			for i := range values {
				values[i] = l.Get(100)
			}
			for _, v := range values {
				l.Put(v, 100)
			}
		}
		for _, step := range []struct {
			after time.Duration
			use   int
			made  int
		}{
			{0, 3, 3},
			{9 * time.Second, 3, 0},
			{9 * time.Second, 1, 0}, // two stay for the sweeps at 10 and 20 s
			{9 * time.Second, 1, 0},
			{9 * time.Second, 1, 0},
			{0, 3, 2}, // of them one has been in use
			{21 * time.Second, 1, 1},
		} {
			time.Sleep(step.after)
			made = 0
			use(step.use)
			assert.Equal(t, step.made, made, "%+v", step)
		}
		time.Sleep(time.Minute) // the sweeper rests
	})
}

func TestListConcurrently(t *testing.T) {
	l := spare.NewList(1, func() *int { return new(int) })
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 1000 {
				v := l.Get(i % 3)
				*v++
				l.Put(v, i%3)
			}
		})
	}
	wg.Wait()
}
