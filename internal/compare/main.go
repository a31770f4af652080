package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime/pprof"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	switch err := command(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// options are the command line's.
type options struct {
	plan
	json, profile string
	markdown      bool
}

func command(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parseArgs(args, stderr)
	if err != nil {
		return err
	}
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	lines := io.Discard
	if o.json != "" {
		f, err := os.Create(o.json)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		lines = f
	}
	write := writeTable
	if o.markdown {
		write = writeMarkdown
	}
	at := time.Now().UTC().Truncate(time.Second)
	var all []measured
	err = run(ctx, o.plan, stderr, func(m measured) error {
		if all = append(all, m); len(all) == 1 {
			fmt.Fprintf(stdout, "%s: %v\n", at.Format(time.DateOnly), m.machine)
			fmt.Fprintln(stdout, strings.TrimSpace("go run . "+strings.Join(args, " ")))
		}
		if err := write(stdout, m.cell, m.results); err != nil {
			return err
		}
		writeVerdict(stdout, m.results)
		return writeJSON(lines, at, m.machine, m.cell, m.results)
	})
	if len(all) > 1 {
		fmt.Fprintln(stdout)
		writeFlatness(stdout, all)
	}
	return err
}

func parseArgs(args []string, stderr io.Writer) (*options, error) {
	o := new(options)
	base := baseCell
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	f.SetOutput(stderr)
	quick := f.Bool("quick", false, "measure the base cell alone; the flags that say \"base cell\" make it any other")
	only := f.String("contenders", "", "regular expression for the contenders that take part, such as 'limit|slotcast'")
	f.IntVar(&base.Pairs, "pairs", base.Pairs, "pairs per batch in the base cell")
	f.IntVar(&base.Primaries, "primaries", base.Primaries, "primaries in the base cell")
	f.IntVar(&base.Tags, "tags", base.Tags, "hash tags per primary in the base cell")
	f.IntVar(&base.Hits, "hits", base.Hits, "per cent of hits in the base cell")
	f.IntVar(&base.Concurrent, "concurrent", base.Concurrent, "batches at a time in the base cell")
	f.BoolVar(&base.Built, "build-keys", base.Built, "have the peers make their keys in the base cell")
	f.BoolVar(&base.Cancel, "cancel", base.Cancel, "use a context that can be cancelled in the base cell")
	f.IntVar(&o.rounds, "rounds", 0, "turns of each contender; default 12")
	f.DurationVar(&o.turn, "turn", 0, "duration of a turn, of which cells with many batches at a time take four; default 60ms")
	f.Uint64Var(&o.seed, "seed", 1, "picks the pairs")
	f.StringVar(&o.server, "server", "", "server binary; default: of PATH")
	f.StringVar(&o.json, "json", "compare.jsonl", "file for a line of JSON per contender and cell; empty for none")
	f.BoolVar(&o.markdown, "markdown", false, "tables in Markdown")
	f.StringVar(&o.profile, "cpuprofile", "", "file for a CPU profile of the whole run; choose one contender for it")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if *only != "" {
		var err error
		if o.only, err = regexp.Compile(*only); err != nil {
			return nil, err
		}
	}
	if base.Pairs < 1 || base.Primaries < 1 || base.Tags < 1 || base.Concurrent < 1 || base.Hits < 0 || base.Hits > 100 {
		return nil, fmt.Errorf("no such cell: %v", base)
	}
	o.cells = cells(base)
	if *quick {
		o.cells = []cell{base}
	}
	if o.rounds <= 0 {
		o.rounds = 12
	}
	if o.turn <= 0 {
		o.turn = 60 * time.Millisecond
	}
	return o, nil
}
