package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/slotcast/slotcast/internal/redistest"
)

// scriptFlush makes every node forget its scripts, some times over.
func scriptFlush(ctx context.Context, r *chaosRun, rng *rand.Rand) error {
	r.sum.ScriptFlush++
	if err := r.tellAll(ctx, rng, "SCRIPT", "FLUSH"); err != nil {
		return err
	}
	return r.recovery(ctx, "flush of all scripts")
}

// clientKill makes every node close the connections of its clients, some times over.
func clientKill(ctx context.Context, r *chaosRun, rng *rand.Rand) error {
	r.sum.ClientKill++
	if err := r.tellAll(ctx, rng, "CLIENT", "KILL", "TYPE", "normal"); err != nil {
		return err
	}
	return r.recovery(ctx, "kill of all clients")
}

// tellAll sends a command to all nodes, three times with pauses in between.
func (r *chaosRun) tellAll(ctx context.Context, rng *rand.Rand, args ...string) error {
	for range 3 {
		for _, n := range r.cluster.Nodes() {
			if _, err := n.DoContext(ctx, args...); err != nil {
				return err
			}
		}
		if !sleep(ctx, upTo(rng, 100*time.Millisecond)) {
			return ctx.Err()
		}
	}
	return nil
}

// reset resets some connections in the middle of a reply.
func reset(ctx context.Context, r *chaosRun, rng *rand.Rand) error {
	n := 3 + rng.IntN(10)
	r.sum.Reset++
	select {
	case <-r.wires.reset(n):
	case <-ctx.Done():
		return ctx.Err()
	}
	return r.recovery(ctx, fmt.Sprintf("reset of %d connections", n))
}

// cancelMany sends a crowd of callers who all change their minds.
func cancelMany(ctx context.Context, r *chaosRun, rng *rand.Rand) error {
	const crowd, calls = 16, 20
	r.sum.Cancel++
	before := r.load.cancelled.Load()
	var callers sync.WaitGroup
	for range crowd {
		rng := rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
		callers.Go(func() {
			for range calls {
				if ctx.Err() != nil {
					return
				}
				if rng.IntN(4) == 0 {
					r.load.writeSome(rng, impatient(rng))
				} else {
					r.load.readSome(rng, impatient(rng))
				}
			}
		})
	}
	callers.Wait()
	return r.recovery(ctx, fmt.Sprintf("%d cancelled calls", r.load.cancelled.Load()-before))
}

// restart kills all nodes and starts them again, empty.
func restart(ctx context.Context, r *chaosRun, _ *rand.Rand) error {
	r.sum.Restart++
	begun := r.book.now()
	nodes := r.cluster.Nodes()
	if err := all(nodes, func(n *redistest.Node) error { return n.Kill() }); err != nil {
		return err
	}
	if err := all(nodes, func(n *redistest.Node) error { return n.Restart(ctx) }); err != nil {
		return err
	}
	if err := r.whole(ctx); err != nil {
		return err
	}
	var slots []uint16
	for _, tag := range r.tags {
		slots = append(slots, tag.slot)
	}
	r.book.loseAll(slots, begun, r.book.now())
	var err error
	if r.owners, err = r.ownersNow(ctx); err != nil {
		return err
	}
	return r.recovery(ctx, fmt.Sprintf("restart of all nodes, whole %.3f s later", seconds(r.book.now()-begun)))
}

// all calls f for all nodes at once.
func all(nodes []*redistest.Node, f func(*redistest.Node) error) error {
	errs := make([]error, len(nodes))
	var wg sync.WaitGroup
	for i, n := range nodes {
		wg.Go(func() { errs[i] = f(n) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
