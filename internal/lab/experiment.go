package main

import (
	"context"
	"flag"
	"fmt"
	"io"
)

// An experiment is one lesson with its levers. levers registers them, check judges their values, run measures.
type experiment interface {
	about() string
	levers(f *flag.FlagSet)
	check() error
	run(ctx context.Context, l *lab) (result, error)
}

// A result is what an experiment found. It is a struct for encoding/json, and can show itself.
type result interface {
	text(w io.Writer) // for a terminal of 100 columns
	section() section // for the report
}

// experiments returns one of each, with the levers at their defaults, in the order of the report.
func experiments() []named {
	return []named{
		{"walk", newWalk()},
		{"fanout", newFanout()},
		{"hotspot", newHotspot()},
		{"write", newWrite()},
		{"codec", newCodec()},
		{"resolution", newResolution()},
		{"tags", newTags()},
		{"peers", newPeers()},
	}
}

type named struct {
	name string
	experiment
}

func find(name string) experiment {
	if name == "report" {
		return newReport()
	}
	for _, x := range experiments() {
		if x.name == name {
			return x.experiment
		}
	}
	return nil
}

func names() (all []string) {
	for _, x := range experiments() {
		all = append(all, x.name)
	}
	return append(all, "report")
}

// usage lists the commands.
func usage(w io.Writer) {
	fmt.Fprint(w, "usage: lab [command] [flags]\n\n")
	for _, x := range experiments() {
		fmt.Fprintf(w, "  %-11s %s\n", x.name, x.about())
	}
	fmt.Fprintf(w, "  %-11s %s\n\n", "report", newReport().about())
	fmt.Fprint(w, "Without a command it is report. lab <command> -h lists the levers.\n")
}
