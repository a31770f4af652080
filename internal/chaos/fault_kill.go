package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/slotcast/slotcast/internal/redistest"
)

// victim returns one of the primaries, chosen by tag.
func (r *chaosRun) victim(rng *rand.Rand) *redistest.Node {
	return r.owners[r.tags[rng.IntN(len(r.tags))].slot].node
}

// heir notes who has the slots now, after a promotion.
func (r *chaosRun) heir(ctx context.Context, slots []uint16) (*redistest.Node, error) {
	node, err := r.cluster.PrimaryOf(ctx, int(slots[0]))
	if err == nil {
		r.expect(slots, node)
	}
	return node, err
}

// kill kills a primary, waits for its replica to take over, and lets it come back, empty.
func kill(ctx context.Context, r *chaosRun, rng *rand.Rand) error {
	victim := r.victim(rng)
	slots := r.slotsOf(victim)
	begun := r.book.now()
	if err := victim.Kill(); err != nil {
		return err
	}
	r.book.lose(slots, begun, r.book.now())
	r.sum.Kill++
	if err := r.whole(ctx); err != nil {
		return err
	}
	heir, err := r.heir(ctx, slots)
	if err != nil {
		return err
	}
	if err := r.recovery(ctx, fmt.Sprintf("kill of %s, for which %s took over %.3f s later", victim.Addr, heir.Addr,
		seconds(r.book.now()-begun))); err != nil {
		return err
	}
	if err := victim.Restart(ctx); err != nil {
		return err
	}
	r.sum.Return++
	return r.recovery(ctx, "return of "+victim.Addr)
}
