package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// A lab runs experiments. It starts a cluster when the first of them needs one, keeps it for the next, and leaves nothing
// behind when it is closed. It is for one goroutine.
type lab struct {
	options
	stderr  io.Writer
	running *cluster
}

// cleanUpTime bounds the cleaning up, also after an interruption.
const cleanUpTime = 15 * time.Second

// say prints a line of progress.
func (l *lab) say(format string, args ...any) { fmt.Fprintf(l.stderr, "lab: "+format+"\n", args...) }

// cluster returns the user's cluster, or a throwaway one with that many primaries.
func (l *lab) cluster(ctx context.Context, primaries int) (*cluster, error) {
	if c := l.running; c != nil {
		if c.own || len(c.nodes) == primaries {
			return c, nil
		}
		l.running = nil
		if err := c.close(ctx); err != nil {
			return nil, err
		}
	}
	if len(l.addrs) == 0 {
		l.say("starting a cluster of %s", plural(primaries, "primary", "primaries"))
	}
	c, err := openCluster(ctx, &l.options, primaries)
	if err != nil {
		return nil, err
	}
	l.running = c
	return c, nil
}

func (l *lab) close(ctx context.Context) error {
	if l.running == nil {
		return nil
	}
	return l.running.close(ctx)
}

// leftError reports what could not be cleaned up.
type leftError struct{ err error }

func (e *leftError) Error() string { return e.err.Error() }
func (e *leftError) Unwrap() error { return e.err }

// left joins errors of cleaning up.
func left(errs ...error) error {
	if err := errors.Join(errs...); err != nil {
		return &leftError{err}
	}
	return nil
}
