package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/slotcast/slotcast/internal/redistest"
)

// cleanUpTime bounds the cleaning up, also after an interruption.
const cleanUpTime = 15 * time.Second

// errInterrupted is what demo returns when it was interrupted and has left nothing behind.
var errInterrupted = errors.New("interrupted; nothing is left behind")

// demo runs the whole. What it started and wrote is gone when it returns, or the error says what is not.
func demo(ctx context.Context, opts options, out io.Writer) error {
	r := &report{out: out}
	r.title()
	err := cached(ctx, opts, r)
	if left := (*leftError)(nil); ctx.Err() != nil && err != nil && !errors.As(err, &left) {
		return errInterrupted
	}
	return err
}

// leftError reports what could not be cleaned up.
type leftError struct{ err error }

func (e *leftError) Error() string { return e.err.Error() }
func (e *leftError) Unwrap() error { return e.err }

// cleanUp adds to *err, if it is to be reported, that cleaning up failed.
func cleanUp(err *error, failure error) {
	if failure != nil {
		*err = errors.Join(*err, &leftError{failure})
	}
}

// cached opens the cache in the user's cluster or a throwaway one, shows it, and cleans up.
func cached(ctx context.Context, opts options, r *report) (err error) {
	if len(opts.addrs) == 0 {
		begin := time.Now()
		cluster, launchErr := redistest.Launch(ctx, redistest.Config{Primaries: 3})
		if launchErr != nil {
			return launchErr
		}
		defer func() { cleanUp(&err, cluster.Close()) }()
		opts.addrs = cluster.Addrs()
		r.started = time.Since(begin)
	}
	s, err := open(ctx, opts)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpTime)
		defer cancel()
		cleanUp(&err, s.close(ctx))
	}()
	return s.show(ctx, opts, r)
}

// show makes the evening, runs the batches and prints what came of them.
func (s *session) show(ctx context.Context, opts options, r *report) error {
	primaries, err := dialPrimaries(ctx, s.layout, &s.conn)
	if err != nil {
		return err
	}
	defer closeAll(primaries)
	if err := r.cluster(ctx, primaries); err != nil {
		return err
	}
	cfg := evening(opts.seed, opts.pairs)
	q, err := ask(cfg, opts.pairs)
	if err != nil {
		return err
	}
	r.evening(cfg, q)
	r.walk(s)

	m, err := s.measure(ctx, q, primaries)
	if err != nil {
		return err
	}
	r.primaries(m)
	r.answers(q, m)
	if err := r.summary(q, m); err != nil {
		return err
	}
	return m.verdictError(q)
}
