package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/slotcast/slotcast/internal/redistest"
)

// migrate moves the slot of a tag to another primary, key by key, and back.
func migrate(ctx context.Context, r *chaosRun, rng *rand.Rand) error {
	slot := r.tags[rng.IntN(len(r.tags))].slot
	home := r.owners[slot].node
	away := r.victim(rng)
	for away == home {
		away = r.victim(rng)
	}
	r.sum.Migrate++
	begun := r.book.now()
	if err := r.migrateSlot(ctx, rng, slot, home, away); err != nil {
		return r.mend(ctx, rng, slot, begun, err)
	}
	if err := r.recovery(ctx, fmt.Sprintf("migration of slot %d from %s to %s", slot, home.Addr, away.Addr)); err != nil {
		return err
	}
	if err := r.migrateSlot(ctx, rng, slot, away, home); err != nil {
		return r.mend(ctx, rng, slot, begun, err)
	}
	return r.recovery(ctx, fmt.Sprintf("migration of slot %d back", slot))
}

// migrateSlot moves a slot, with a pause in the middle.
func (r *chaosRun) migrateSlot(ctx context.Context, rng *rand.Rand, slot uint16, from, to *redistest.Node) error {
	r.book.unsecure(slot)
	m, err := r.cluster.BeginMigration(ctx, int(slot), from, to)
	if err != nil {
		return err
	}
	keys, err := m.Keys(ctx)
	if err != nil {
		return err
	}
	middle := rng.IntN(len(keys) + 1)
	for i, key := range keys {
		if i == middle {
			sleep(ctx, 50*time.Millisecond+upTo(rng, 150*time.Millisecond))
		}
		if err := m.Move(ctx, key); err != nil {
			return err
		}
	}
	if err := m.Commit(ctx); err != nil {
		return err
	}
	r.expect([]uint16{slot}, to)
	return nil
}
