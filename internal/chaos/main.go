package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the command line's.
type options struct {
	duration time.Duration
	seed     uint64
	faults   []fault
	verbose  bool
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	opts, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "chaos: %v\n", err)
		return 2
	}
	sum, err := chaos(ctx, opts, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "chaos: %v\n", err)
	}
	line, jsonErr := json.Marshal(sum)
	if err = errors.Join(err, jsonErr); jsonErr == nil {
		fmt.Fprintf(stdout, "%s\n", line)
	}
	if err != nil || !sum.clean() {
		return 1
	}
	return 0
}

func parse(args []string, stderr io.Writer) (options, error) {
	var opts options
	var names string
	f := flag.NewFlagSet("chaos", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.DurationVar(&opts.duration, "duration", time.Minute, "how long to go on; every fault is injected once per minute at least, if that takes longer")
	f.Uint64Var(&opts.seed, "seed", 0, "the schedule of faults to repeat; 0 makes one up")
	f.StringVar(&names, "faults", "", "the faults to inject, separated by commas; default: "+strings.Join(faultNames(), ","))
	f.BoolVar(&opts.verbose, "v", false, "show what the client logs, and why calls fail")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			f.SetOutput(stderr)
			f.Usage()
		}
		return opts, err
	}
	if f.NArg() > 0 {
		return opts, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if opts.duration <= 0 {
		return opts, fmt.Errorf("-duration %v is not above zero", opts.duration)
	}
	if opts.seed == 0 {
		opts.seed = rand.Uint64N(1<<53-1) + 1 // a number that JSON readers keep whole
	}
	var err error
	opts.faults, err = pickFaults(names)
	return opts, err
}
