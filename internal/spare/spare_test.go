package spare_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/slotcast/slotcast/internal/spare"
)

func TestList(t *testing.T) {
	made := 0
	l := spare.NewList(10, func() *[]byte { made++; return new([]byte) })
	collect := func() {
		for range 3 {
			runtime.GC()
		}
	}
	usual := l.Get()
	assert.Equal(t, 1, made)
	l.Put(usual, 10)
	collect()
	assert.Same(t, usual, l.Get(), "kept through collections of garbage")

	l.Put(usual, 11)
	collect()
	l.Get()
	assert.Equal(t, 2, made, "a large one is not")

	first, last := new([]byte), new([]byte)
	l.Put(first, 1)
	l.Put(last, 1)
	assert.Same(t, last, l.Get(), "the last one first")
	assert.Same(t, first, l.Get())

	for range 100 {
		l.Put(new([]byte), 1)
	}
	collect()
	made = 0
	for range 100 {
		l.Get()
	}
	assert.Equal(t, 36, made, "64 are kept")
}

func TestListConcurrently(t *testing.T) {
	l := spare.NewList(1, func() *int { return new(int) })
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 1000 {
				v := l.Get()
				*v++ // a race if two have it
				l.Put(v, i%3)
			}
		})
	}
	wg.Wait()
}
