package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slotcast/slotcast/routecache"
)

// probeTime bounds each call of a probe: one that is stuck at a dead node must not keep the next one waiting.
const probeTime = 300 * time.Millisecond

// recovery waits until the cluster itself answers fully, and from then on counts the time until the cache does: until some
// keys of every tag can be written and read. done says what has happened.
func (r *chaosRun) recovery(ctx context.Context, done string) error {
	since := r.book.now()
	if err := r.whole(ctx); err != nil {
		return fmt.Errorf("%s: %w", done, err)
	}
	healed := r.book.now()
	tries := 1
	for ; ; tries++ {
		err := r.probe()
		if err == nil {
			break
		}
		if r.opts.verbose {
			r.say("probe %d: %v", tries, err)
		}
		if r.book.now() > healed+moment(patienceWithCluster) {
			return fmt.Errorf("%s: the cache does not recover: %w", done, err)
		}
		if !sleep(ctx, 5*time.Millisecond) {
			return ctx.Err()
		}
	}
	took := time.Duration(r.book.now() - healed)
	r.sum.MaxRecoveryMS = max(r.sum.MaxRecoveryMS, took.Milliseconds())
	r.say("%s: the cluster answers after %.3f s, the cache %d ms later (%d tries)", done, seconds(healed-since),
		took.Milliseconds(), tries)
	return nil
}

// probe writes and reads some keys of every tag, and returns an error unless all went well.
func (r *chaosRun) probe() error {
	s := r.load.keys.probes
	which := make([]int, s.len())
	for k := range which {
		which[k] = s.first + k
	}
	p := patience{timeout: probeTime}
	if err := r.load.write(p, which, s.ttl); err != nil {
		return err
	}
	out, err := r.load.read(p, which)
	if err != nil {
		return err
	}
	for _, a := range out {
		if a.State != routecache.Hit {
			return errors.New("a key that was just written is not there")
		}
	}
	return nil
}
