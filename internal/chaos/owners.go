package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/slotcast/slotcast/internal/redistest"
)

// An owner is the primary of a slot. The history is its replication id, which is new after each promotion and each start;
// empty means that any will do.
type owner struct {
	node    *redistest.Node
	history string
}

// ownersNow asks the cluster, which is whole, for the owners of the tags' slots.
func (r *chaosRun) ownersNow(ctx context.Context) (map[uint16]owner, error) {
	found := map[uint16]owner{}
	for _, tag := range r.tags {
		node, err := r.cluster.PrimaryOf(ctx, int(tag.slot))
		if err != nil {
			return nil, err
		}
		info, err := node.Info(ctx, "replication")
		if err != nil {
			return nil, err
		}
		found[tag.slot] = owner{node, info["master_replid"]}
	}
	return found, nil
}

// slotsOf returns the tags' slots that the node owns, as far as is known.
func (r *chaosRun) slotsOf(node *redistest.Node) (slots []uint16) {
	for _, tag := range r.tags {
		if r.owners[tag.slot].node == node {
			slots = append(slots, tag.slot)
		}
	}
	return slots
}

// expect notes who owns the slots from now on.
func (r *chaosRun) expect(slots []uint16, node *redistest.Node) {
	for _, slot := range slots {
		r.owners[slot] = owner{node: node}
	}
}

// surprises compares the owners with those expected. A promotion that no fault called for loses what any promotion may.
func (r *chaosRun) surprises(found map[uint16]owner, since moment) {
	var slots []uint16
	nodes := map[*redistest.Node]bool{}
	for slot, now := range found {
		was := r.owners[slot]
		if now.node != was.node || was.history != "" && now.history != was.history {
			slots = append(slots, slot)
			nodes[now.node] = true
		}
	}
	if len(slots) > 0 {
		r.book.lose(slots, since, r.book.now())
		r.sum.UnplannedFailover += len(nodes)
		r.say("%d primaries were replaced though nobody asked for it; slots %v", len(nodes), slots)
	}
	r.owners = found
}

// confirm waits until each owner's replica has everything that was acknowledged before the call, and enters that.
//
// A server replicates in the order of execution, so a replica that has a marker has all that went before it.
func (r *chaosRun) confirm(ctx context.Context) error {
	confirmed := map[*redistest.Node]bool{}
	for _, tag := range r.tags {
		node := r.owners[tag.slot].node
		if confirmed[node] {
			continue
		}
		at := r.book.now()
		values, err := node.Pipeline(ctx,
			[]string{"SET", tag.marker, strconv.FormatInt(int64(at), 10), "PX", "86400000"},
			[]string{"WAIT", "1", "4000"})
		if err != nil {
			return err
		}
		if err := values[0].Err(); err != nil {
			return fmt.Errorf("marker for %s: %w", node.Addr, err)
		}
		if n, err := values[1].AsInt(); err != nil || n < 1 {
			return fmt.Errorf("%s: no replica is in step", node.Addr)
		}
		confirmed[node] = true
		r.book.secure(r.slotsOf(node), at)
	}
	return nil
}

// reads reports whether the owner of each tag answers a read of it, asked directly.
func (r *chaosRun) reads(ctx context.Context) error {
	for _, tag := range r.tags {
		node, err := r.cluster.PrimaryOf(ctx, int(tag.slot))
		if err != nil {
			return err
		}
		if _, err := node.DoContext(ctx, "GET", tag.marker); err != nil {
			return err
		}
	}
	return nil
}

// whole waits until the cluster itself answers fully: all live nodes agree, replicas are in step, and every tag can be read.
func (r *chaosRun) whole(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patienceWithCluster)
	defer cancel()
	for {
		if err := r.cluster.WaitReady(ctx); err != nil {
			return err
		}
		err := r.reads(ctx)
		if err == nil {
			return nil
		}
		if !sleep(ctx, 10*time.Millisecond) {
			return fmt.Errorf("the cluster does not answer: %w", err)
		}
	}
}

// agreed waits until all live nodes agree and replicas are in step.
func (r *chaosRun) agreed(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patienceWithCluster)
	defer cancel()
	return r.cluster.WaitReady(ctx)
}

// patienceWithCluster bounds each wait for the cluster, on a busy machine.
const patienceWithCluster = 90 * time.Second

// sleep waits and reports whether ctx still goes on.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
