package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/routecache"
)

const (
	// nodeTimeout is after how long a node is taken for dead; a failover takes about twice that.
	nodeTimeout = 1500 * time.Millisecond
	tagsPerNode = 2

	longestFault = 5 * time.Minute // on a machine that does little else than wait
	clientName   = "slotcast-chaos"
)

// chaosRun is one run: a cluster, a cache, and what is known of both. Faults are injected by one goroutine.
type chaosRun struct {
	opts    options
	out     io.Writer
	outLock sync.Mutex

	cluster *redistest.Cluster
	wires   wires
	load    load
	book    *book
	tags    []tag
	owners  map[uint16]owner // by slot: as expected
	sum     summary
	before  census // of the time before the cache was opened
}

// A tag is one of the cache's hash tags.
type tag struct {
	slot   uint16
	marker string // a key with the tag that the cache does not know
}

// chaos makes a whole run. The summary is worth reading also if there is an error.
func chaos(ctx context.Context, opts options, out io.Writer) (*summary, error) {
	cluster, err := redistest.Launch(ctx, redistest.Config{Primaries: 3, Replicas: 1, NodeTimeout: nodeTimeout})
	if err != nil {
		return &summary{Seed: opts.seed}, err
	}
	defer cluster.Close()
	r, err := open(ctx, cluster, opts, out)
	if err != nil {
		return &summary{Seed: opts.seed}, err
	}
	r.say("seed %d", opts.seed)
	var s stalls
	s.begin()
	err = r.prepare(ctx)
	if err == nil {
		r.load.start(opts.seed)
		err = r.inject(ctx)
		r.load.end()
	}
	r.sum.MaxStallMS = s.end().Milliseconds()
	if interrupted := context.Cause(ctx); interrupted != nil {
		err = interrupted
	}
	return &r.sum, errors.Join(err, r.close())
}

// open opens a cache on the cluster and fills the book with keys for it.
func open(ctx context.Context, cluster *redistest.Cluster, opts options, out io.Writer) (*chaosRun, error) {
	r := &chaosRun{opts: opts, out: out, cluster: cluster}
	r.sum.Seed = opts.seed
	var err error
	if r.before, err = r.countFirst(); err != nil {
		return nil, err
	}
	logger := slog.New(slog.DiscardHandler)
	if opts.verbose {
		logger = slog.New(slog.NewTextHandler(out, nil))
		r.load.tell = r.say
	}
	cache, err := routecache.Open(ctx, routecache.Config{
		Addrs: cluster.Addrs(),
		Tags:  tagsPerNode,
		Batch: batch.Config{
			// Bounds so low that the load reaches them.
			MaxKeys: 100,
			Window:  8 << 10,
			Conn:    conn.Config{ClientName: clientName, Dial: r.wires.dial, MaxConns: 8},
			Logger:  logger,
		},
	})
	if err != nil {
		return nil, err
	}
	layout := cache.Layout()
	for _, a := range layout.Anchors().List {
		r.tags = append(r.tags, tag{a.Slot, fmt.Sprintf("{routing:v1:%d}marker", a.N)})
	}
	k, total := planKeys(len(r.tags))
	r.book = newBook(total, r.say)
	k.fill(r.book, layout, rand.New(rand.NewPCG(opts.seed, 1)))
	r.load.cache, r.load.book, r.load.keys = cache, r.book, k
	return r, nil
}

// prepare writes what is to last and makes sure of it.
func (r *chaosRun) prepare(ctx context.Context) error {
	if err := r.whole(ctx); err != nil {
		return err
	}
	var err error
	if r.owners, err = r.ownersNow(ctx); err != nil {
		return err
	}
	err = r.rest(ctx, r.book.now())
	r.load.quiet.Store(1)
	return err
}

// inject injects faults until the time is up and each has had its turns.
func (r *chaosRun) inject(ctx context.Context) error {
	began := time.Now()
	least := len(r.opts.faults) * max(1, int(r.opts.duration/time.Minute))
	plan := newSchedule(r.opts.seed, r.opts.faults)
	for n := 0; n < least || time.Since(began) < r.opts.duration; n++ {
		f, rng := plan.next()
		r.load.quiet.Add(1)
		if err := r.once(ctx, f, rng); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		r.load.quiet.Add(1)
		r.sum.Seconds = time.Since(began).Round(time.Millisecond).Seconds()
		if !sleep(ctx, 100*time.Millisecond+upTo(rng, 200*time.Millisecond)) {
			return nil
		}
	}
	return nil
}

// once injects a fault and waits until everything is as before.
func (r *chaosRun) once(ctx context.Context, f fault, rng *rand.Rand) error {
	ctx, cancel := context.WithTimeout(ctx, longestFault)
	defer cancel()
	since := r.book.now()
	if err := f.inject(ctx, r, rng); err != nil {
		return err
	}
	return r.rest(ctx, since)
}

// rest ends a fault: it enters what nobody planned, writes again what was lost, waits until the replicas have everything,
// and judges the misses.
func (r *chaosRun) rest(ctx context.Context, since moment) error {
	ctx, cancel := context.WithTimeout(ctx, patienceWithCluster)
	defer cancel()
	for {
		err := r.calm(ctx, since)
		if err == nil {
			break
		}
		if !sleep(ctx, 50*time.Millisecond) {
			return err
		}
	}
	r.book.settle()
	return nil
}

func (r *chaosRun) calm(ctx context.Context, since moment) error {
	if err := r.cluster.WaitReady(ctx); err != nil {
		return err
	}
	found, err := r.ownersNow(ctx)
	if err != nil {
		return err
	}
	r.surprises(found, since)
	lasting := r.load.keys.lasting
	if weak := r.book.weak(lasting.first, lasting.last); len(weak) > 0 {
		if err := r.load.write(patience{timeout: 5 * time.Second}, weak, lasting.ttl); err != nil {
			return err
		}
	}
	if err := r.confirm(ctx); err != nil {
		return err
	}
	again, err := r.ownersNow(ctx)
	if err != nil {
		return err
	}
	for slot, o := range again {
		if o != found[slot] {
			return fmt.Errorf("slot %d changed hands again", slot)
		}
	}
	return nil
}

// say writes a line of progress. It is safe for concurrent use.
func (r *chaosRun) say(format string, args ...any) {
	at := 0.0
	if r.book != nil {
		at = seconds(r.book.now())
	}
	r.outLock.Lock()
	defer r.outLock.Unlock()
	fmt.Fprintf(r.out, "%8.3f s  %s\n", at, fmt.Sprintf(format, args...))
}
