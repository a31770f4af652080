package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	crashIfAsked()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program; it returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int) {
	err := command(ctx, args, stdout, stderr)
	var refused *refusal
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil && !errors.As(err, new(*leftError)):
		fmt.Fprintln(stderr, "lab: interrupted; nothing is left behind")
		return 1
	case errors.As(err, &refused):
		status = 2
	default:
		status = 1
	}
	fmt.Fprintf(stderr, "lab: %s\n", oneLine(err))
	return status
}

// refusal is an error that the user can do something about before anything has been measured: a bad command line, or no
// cluster that can be used.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

func refuse(format string, args ...any) error { return &refusal{fmt.Errorf(format, args...)} }

// command runs the command that args name.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	name := "report"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	} else if len(args) > 0 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		usage(stdout)
		return nil
	}
	x := find(name)
	if x == nil {
		return refuse("no experiment %q: there are %s", name, strings.Join(names(), ", "))
	}
	o, err := parse(name, x, args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	l := &lab{options: *o, stderr: stderr}
	defer func() { err = errors.Join(err, l.close(ctx)) }()
	result, err := x.run(ctx, l)
	if err != nil {
		return err
	}
	if o.json {
		return json.NewEncoder(stdout).Encode(answer(result))
	}
	result.text(stdout)
	return nil
}

// answer is what -json prints of a result: the result, unless it has a shorter form.
func answer(r result) any {
	if s, ok := r.(interface{ short() any }); ok {
		return s.short()
	}
	return r
}

// oneLine is the text of err; joined errors have line breaks.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
