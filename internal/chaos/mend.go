package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/slotcast/slotcast/internal/redistest"
)

// mend puts a slot in order whose migration broke off, as it does when one of the two primaries is replaced meanwhile: whoever
// owns the slot keeps it and the keys it has, all others forget theirs. Then the slot goes back to the primary that has
// the other slots of its shard. Everything in the slot counts as lost.
func (r *chaosRun) mend(ctx context.Context, rng *rand.Rand, slot uint16, begun moment, cause error) error {
	if ctx.Err() != nil {
		return cause
	}
	r.say("the migration of slot %d broke off: %v", slot, cause)
	r.sum.BrokenMigrations++
	if err := r.agreed(ctx); err != nil { // not whole: an open slot answers ASK
		return errors.Join(cause, err)
	}
	owner, err := r.cluster.PrimaryOf(ctx, int(slot))
	if err != nil {
		return err
	}
	for _, n := range r.cluster.Nodes() {
		if err := forget(ctx, n, int(slot), owner); err != nil {
			return errors.Join(cause, err)
		}
	}
	home, err := r.homeOf(ctx, slot)
	if err == nil && home != owner {
		err = r.migrateSlot(ctx, rng, slot, owner, home)
	}
	if err != nil {
		return errors.Join(cause, err)
	}
	r.book.loseAll([]uint16{slot}, begun, r.book.now())
	r.expect([]uint16{slot}, home)
	return r.recovery(ctx, fmt.Sprintf("mending of slot %d", slot))
}

// forget closes the slot on a primary, which loses its keys unless it is the owner.
func forget(ctx context.Context, n *redistest.Node, slot int, owner *redistest.Node) error {
	role, err := n.DoContext(ctx, "ROLE")
	if err != nil || role.Elems[0].Text != "master" {
		return err
	}
	number := strconv.Itoa(slot)
	if n != owner {
		keys, err := n.DoContext(ctx, "CLUSTER", "GETKEYSINSLOT", number, strconv.Itoa(1<<20))
		if err != nil {
			return err
		}
		commands := [][]string{
			{"CLUSTER", "SETSLOT", number, "STABLE"},
			{"CLUSTER", "SETSLOT", number, "IMPORTING", owner.ID}, // or it would not let us at the keys
		}
		for _, key := range keys.Elems {
			commands = append(commands, []string{"ASKING"}, []string{"DEL", key.Text})
		}
		values, err := n.Pipeline(ctx, commands...)
		for _, v := range values {
			err = errors.Join(err, v.Err())
		}
		if err != nil {
			return err
		}
	}
	_, err = n.DoContext(ctx, "CLUSTER", "SETSLOT", number, "STABLE")
	return err
}

// homeOf returns the primary of the shard that the slot belongs to: that of its neighbours which are no tag's slot.
func (r *chaosRun) homeOf(ctx context.Context, slot uint16) (*redistest.Node, error) {
	neighbour := int(slot) + 1
	for r.isTag(neighbour) {
		neighbour++
	}
	return r.cluster.PrimaryOf(ctx, neighbour)
}

func (r *chaosRun) isTag(slot int) bool {
	for _, tag := range r.tags {
		if int(tag.slot) == slot {
			return true
		}
	}
	return false
}
