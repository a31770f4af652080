package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// freezeThaw stops a primary and lets it go on: soon, so that nothing changes, or after its replica has taken over.
func freezeThaw(ctx context.Context, r *chaosRun, rng *rand.Rand) error {
	victim := r.victim(rng)
	slots := r.slotsOf(victim)
	begun := r.book.now()
	if err := victim.Freeze(); err != nil {
		return err
	}
	defer victim.Thaw()
	r.sum.Freeze++
	if rng.IntN(2) == 0 {
		pause := nodeTimeout/8 + upTo(rng, nodeTimeout/2)
		sleep(ctx, pause)
		if err := victim.Thaw(); err != nil {
			return err
		}
		r.sum.Thaw++
		return r.recovery(ctx, fmt.Sprintf("freeze and thaw of %s after %v", victim.Addr, pause.Round(time.Millisecond)))
	}

	if err := r.whole(ctx); err != nil {
		return err
	}
	heir, err := r.heir(ctx, slots)
	if err != nil {
		return err
	}
	if err := r.recovery(ctx, fmt.Sprintf("freeze of %s, for which %s took over %.3f s later", victim.Addr, heir.Addr,
		seconds(r.book.now()-begun))); err != nil {
		return err
	}
	if err := victim.Thaw(); err != nil {
		return err
	}
	// Until it learns that it has been replaced, it executes what was sent to it meanwhile, for good or not.
	for {
		role, err := victim.DoContext(ctx, "ROLE")
		if err != nil {
			return err
		}
		if role.Elems[0].Text == "slave" {
			break
		}
		if !sleep(ctx, time.Millisecond) {
			return ctx.Err()
		}
	}
	r.book.lose(slots, begun, r.book.now())
	r.sum.Thaw++
	return r.recovery(ctx, "thaw of "+victim.Addr)
}
