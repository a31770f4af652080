package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/slotcast/slotcast/internal/redistest"
)

// plan is what a run does in each cell.
type plan struct {
	cells  []cell
	rounds int           // turns of each contender
	turn   time.Duration // of batches per turn, about
	seed   uint64
	only   *regexp.Regexp // contenders; nil is all
	server string         // binary
}

type measured struct {
	cell    cell
	machine machine
	results results
}

// run measures all cells and gives each to done. Cells of one number of primaries that are neighbours share a cluster.
func run(ctx context.Context, p plan, progress io.Writer, done func(measured) error) error {
	var cluster *redistest.Cluster
	var host machine
	defer func() {
		if cluster != nil {
			cluster.Close()
		}
	}()
	for i, c := range p.cells {
		if cluster == nil || p.cells[i-1].Primaries != c.Primaries {
			if cluster != nil {
				cluster.Close()
			}
			fmt.Fprintf(progress, "starting %d primaries\n", c.Primaries)
			var err error
			if cluster, err = redistest.Launch(ctx, redistest.Config{Primaries: c.Primaries, Binary: p.server}); err != nil {
				return err
			}
			if host, err = thisMachine(ctx, cluster); err != nil {
				return err
			}
		}
		fmt.Fprintf(progress, "%d of %d: %v\n", i+1, len(p.cells), c)
		rs, err := p.measure(ctx, cluster, c)
		if err != nil {
			return err
		}
		if err := done(measured{c, host, rs}); err != nil {
			return err
		}
	}
	return nil
}

// turnOf is how long a turn lasts. One with many workers ends when the last of them is done, and begins with all of them
// doing the same: so that this counts for little, it lasts four times as long.
func (p *plan) turnOf(c cell) time.Duration {
	if c.Concurrent > 1 {
		return 4 * p.turn
	}
	return p.turn
}

// measure has all contenders prove themselves and then take turns.
func (p *plan) measure(ctx context.Context, cluster *redistest.Cluster, c cell) (results, error) {
	s, err := newScene(ctx, cluster, c, p.seed, p.only)
	if err != nil {
		return nil, err
	}
	defer s.close()
	var runners []*runner
	for _, contender := range s.contenders {
		r, err := newRunner(s, contender)
		if err != nil {
			return nil, err
		}
		if err := r.prove(ctx); err != nil {
			return nil, err
		}
		if err := r.calibrate(p.turnOf(c)); err != nil {
			return nil, err
		}
		runners = append(runners, r)
	}
	for range p.rounds {
		for _, r := range runners {
			if err := errors.Join(ctx.Err(), r.turn()); err != nil {
				return nil, err
			}
		}
	}
	var rs results
	for _, r := range runners {
		rs = append(rs, r.result())
	}
	return rs, nil
}
