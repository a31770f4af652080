package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"time"
)

// failover makes a primary and its replica change roles, in agreement.
func failover(ctx context.Context, r *chaosRun, rng *rand.Rand) error {
	old := r.victim(rng)
	slots := r.slotsOf(old)
	at, err := r.replicaOf(ctx, old.Addr)
	if err != nil {
		return err
	}
	begun := r.book.now()
	if err := r.agree(ctx, at); err != nil {
		return err
	}
	r.book.handOver(slots, begun, r.book.now())
	r.sum.Failover++
	heir := r.cluster.Node(at)
	r.expect(slots, heir)
	return r.recovery(ctx, fmt.Sprintf("failover from %s to %s", old.Addr, heir.Addr))
}

// replicaOf returns the index of the replica of the primary at addr.
func (r *chaosRun) replicaOf(ctx context.Context, addr string) (int, error) {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return 0, err
	}
	for i, n := range r.cluster.Nodes() {
		info, err := n.Info(ctx, "replication")
		if err != nil {
			return 0, err
		}
		if info["role"] == "slave" && info["master_port"] == port {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s has no replica", addr)
}

// agree makes the replica a primary. A server gives a failover up after five seconds (CLUSTER_MF_TIMEOUT in cluster.h).
func (r *chaosRun) agree(ctx context.Context, at int) error {
	for try := 1; ; try++ {
		patient, cancel := context.WithTimeout(ctx, 20*time.Second)
		err := r.cluster.Failover(patient, at)
		cancel()
		if err == nil || try == 3 || ctx.Err() != nil {
			return err
		}
	}
}
