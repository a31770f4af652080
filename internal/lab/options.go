package main

import (
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/slotcast/slotcast/conn"
)

// options are the flags that every command has.
type options struct {
	addrs []string // of the user's own cluster; none = a throwaway one
	conn  conn.Config
	seed  uint64
	json  bool
}

// passwordEnv holds the password for -addrs: a command line is for everybody to read.
const passwordEnv = "SLOTCAST_PASSWORD"

// parse reads the flags of an experiment. Its error is a refusal, or flag.ErrHelp after help was printed.
func parse(name string, x experiment, args []string, stdout io.Writer) (*options, error) {
	o := new(options)
	f := flag.NewFlagSet("lab "+name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	addrs := f.String("addrs", "", "nodes of your own cluster, `host:port,…`; default: a throwaway cluster")
	f.StringVar(&o.conn.Username, "user", "", "user `name` for -addrs; the password is taken from $"+passwordEnv)
	useTLS := f.Bool("tls", false, "use TLS for -addrs")
	f.Uint64Var(&o.seed, "seed", 1, "`number` that the workload is made from")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	x.levers(f)
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stdout, "lab %s: %s\n\n", name, x.about())
		f.SetOutput(stdout)
		f.PrintDefaults()
		return nil, err
	} else if err != nil {
		return nil, &refusal{err}
	}
	for addr := range strings.SplitSeq(*addrs, ",") {
		if addr = strings.TrimSpace(addr); addr != "" {
			o.addrs = append(o.addrs, addr)
		}
	}
	if *useTLS {
		o.conn.TLS = &tls.Config{}
	}
	if len(o.addrs) > 0 {
		o.conn.Password = os.Getenv(passwordEnv)
	}
	switch {
	case f.NArg() > 0:
		return nil, refuse("unexpected argument %q", f.Arg(0))
	case len(o.addrs) == 0 && (*useTLS || o.conn.Username != ""):
		return nil, refuse("-tls and -user are for -addrs")
	}
	if err := x.check(); err != nil {
		return nil, &refusal{err}
	}
	return o, nil
}

// within checks a lever.
func within(name string, v, low, high int) error {
	if v < low || v > high {
		return fmt.Errorf("-%s %d is not within %d and %d", name, v, low, high)
	}
	return nil
}
