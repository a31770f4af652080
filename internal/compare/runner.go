package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slotcast/slotcast/routecache"
)

// A runner runs batches of one contender, by as many workers at once as the cell says.
type runner struct {
	*contender
	scene   *scene
	ctx     context.Context // of the batches: what it is matters to some clients
	workers []*worker
	group   int // batches of each worker per turn
	tally   tally
}

type worker struct {
	batch batchFunc
	out   []routecache.Answer
	walls []time.Duration // of the batches of a turn
	todo  chan int
	done  chan error
}

func newRunner(s *scene, c *contender) (*runner, error) {
	r := &runner{contender: c, scene: s, ctx: context.Background()}
	if s.cell.Cancel {
		ctx, cancel := context.WithCancel(r.ctx)
		s.onClose(cancel)
		r.ctx = ctx
	}
	for range s.cell.Concurrent {
		b, err := c.worker()
		if err != nil {
			return nil, fmt.Errorf("%v: %w", c, err)
		}
		w := &worker{batch: b, out: make([]routecache.Answer, s.cell.Pairs), todo: make(chan int), done: make(chan error)}
		r.workers = append(r.workers, w)
		if s.cell.Concurrent > 1 {
			go func() {
				for n := range w.todo {
					w.done <- w.run(r.ctx, n)
				}
			}()
			s.onClose(func() { close(w.todo) })
		}
	}
	return r, nil
}

// run has every worker run n batches. A single worker is the caller itself.
func (r *runner) run(n int) error {
	if len(r.workers) == 1 {
		return r.workers[0].run(r.ctx, n)
	}
	for _, w := range r.workers {
		w.todo <- n
	}
	var errs []error
	for _, w := range r.workers {
		errs = append(errs, <-w.done)
	}
	return errors.Join(errs...)
}

func (w *worker) run(ctx context.Context, n int) error {
	w.walls = w.walls[:0]
	for range n {
		start := time.Now()
		if err := w.batch(ctx, w.out); err != nil {
			return err
		}
		w.walls = append(w.walls, time.Since(start))
	}
	return nil
}

// check compares the last answers of every worker with what they have to be, and forgets them. The limit checks itself.
func (r *runner) check() error {
	if r.set || r.client == "limit" {
		return nil
	}
	for _, w := range r.workers {
		for i, a := range w.out {
			if a != r.scene.get.want[i] {
				return fmt.Errorf("%v: pair %d: %+v, want %+v", r, i, a, r.scene.get.want[i])
			}
		}
		clear(w.out)
	}
	return nil
}

// prove runs the contender for the first time and checks all that it answers or stores.
func (r *runner) prove(ctx context.Context) error {
	if r.set {
		if err := r.scene.clerk.wipe(ctx, r.scene.set); err != nil {
			return err
		}
	}
	if err := r.run(1); err != nil {
		return fmt.Errorf("%v: %w", r, err)
	}
	if !r.set {
		return r.check()
	}
	if err := r.scene.clerk.stored(ctx, r.scene.set, r.tagged); err != nil {
		return fmt.Errorf("%v: %w", r, err)
	}
	return nil
}

// calibrate finds out how many batches fill the time of a turn.
func (r *runner) calibrate(turn time.Duration) error {
	for r.group = 1; ; r.group *= 2 {
		start := time.Now()
		if err := r.run(r.group); err != nil {
			return fmt.Errorf("%v: %w", r, err)
		}
		if took := time.Since(start); took > turn/4 {
			r.group = max(1, int(float64(r.group)*float64(turn)/float64(took)))
			for _, w := range r.workers {
				w.walls = make([]time.Duration, 0, r.group)
			}
			return nil
		}
	}
}
