package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/slotcast/slotcast/conn"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the command line's.
type options struct {
	addrs []string // of the user's own cluster; none = a throwaway one
	conn  conn.Config
	seed  uint64
	pairs int // distinct pairs to write
	tags  int // per primary
}

// passwordEnv holds the password for -addrs: a command line is for everybody to read.
const passwordEnv = "SLOTCAST_PASSWORD"

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	opts, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "demo: %v\n", err)
		return 2
	}
	if err := demo(ctx, opts, stdout); err != nil {
		fmt.Fprintf(stderr, "demo: %s\n", oneLine(err))
		return 1
	}
	return 0
}

func parse(args []string, stderr io.Writer) (options, error) {
	var opts options
	var addrs string
	var useTLS bool
	f := flag.NewFlagSet("demo", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&addrs, "addrs", "", "nodes of your own cluster, host:port separated by commas; default: a throwaway cluster")
	f.StringVar(&opts.conn.Username, "user", "", "user name for -addrs; the password is taken from $"+passwordEnv)
	f.BoolVar(&useTLS, "tls", false, "use TLS for -addrs")
	f.Uint64Var(&opts.seed, "seed", 1, "the evening to make")
	f.IntVar(&opts.pairs, "pairs", 3000, "distinct pairs to write, 100 to 50000")
	f.IntVar(&opts.tags, "tags", 1, "hash tags per primary, 1 to 64")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			f.SetOutput(stderr)
			f.Usage()
		}
		return opts, err
	}
	for addr := range strings.SplitSeq(addrs, ",") {
		if addr = strings.TrimSpace(addr); addr != "" {
			opts.addrs = append(opts.addrs, addr)
		}
	}
	if useTLS {
		opts.conn.TLS = &tls.Config{}
	}
	if len(opts.addrs) > 0 {
		opts.conn.Password = os.Getenv(passwordEnv)
	}
	switch {
	case f.NArg() > 0:
		return opts, fmt.Errorf("unexpected argument %q", f.Arg(0))
	case opts.pairs < 100 || opts.pairs > 50_000:
		return opts, fmt.Errorf("-pairs %d is not within 100 and 50000", opts.pairs)
	case opts.tags < 1 || opts.tags > 64:
		return opts, fmt.Errorf("-tags %d is not within 1 and 64", opts.tags)
	case len(opts.addrs) == 0 && (useTLS || opts.conn.Username != ""):
		return opts, errors.New("-tls and -user are for -addrs")
	}
	return opts, nil
}

// oneLine is the text of err; joined errors have line breaks.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
