package main

import (
	"context"

	"github.com/slotcast/slotcast/routecache"
)

// A contender is one way to get, or to set, a batch of estimates.
type contender struct {
	client string // "slotcast", "limit", or the name of a peer
	name   string // how it goes about it
	set    bool
	tagged bool // keys have tags
	singly bool // a Set stores without a script
	meter  counter

	// worker returns a function that runs one batch and gives its answers, if it is a get, to out. The function is for one
	// goroutine; those of several workers may run at once.
	worker func() (batchFunc, error)
}

type batchFunc func(ctx context.Context, out []routecache.Answer) error

func (c *contender) String() string { return c.client + " " + c.name }

// plain is the worker of a contender that keeps nothing from batch to batch.
func plain(b batchFunc) func() (batchFunc, error) {
	return func() (batchFunc, error) { return b, nil }
}
