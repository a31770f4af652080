package main

import (
	"fmt"
	"io"
)

// writeVerdict says in words how this library did in a cell.
func writeVerdict(w io.Writer, rs results) {
	fmt.Fprintln(w)
	for _, op := range []string{"get", "set"} {
		ours := rs.of("slotcast", op)
		if ours == nil {
			continue
		}
		fmt.Fprintf(w, "slotcast %s:", op)
		limit := rs.of("limit", op)
		sep := " "
		say := func(what string, than *result, of func(*result) float64, name string) {
			if than != nil {
				fmt.Fprintf(w, "%s%s %s × %s", sep, what, ratio(ours, than, of), name)
				sep = ", "
			}
		}
		peer := func(what string, admit func(*result) bool, of func(*result) float64) {
			if best := rs.best(op, admit, of); best != nil {
				say(what, best, of, best.label())
			}
		}
		say("p50", limit, p50, "the limit")
		say("client CPU", limit, clientCPU, "the limit")
		peer("p50", anyPeer, p50)
		peer("p99", anyPeer, p99)
		peer("client CPU", withTags, clientCPU)
		peer("client CPU", withoutTags, clientCPU)
		if best := rs.best(op, anyPeer, pause); best != nil {
			fmt.Fprintf(w, "%sthroughput %.2f × %s", sep, ours.Rate/best.Rate, best.label())
		}
		fmt.Fprintln(w)
	}
}

// writeFlatness compares the cost of a pair in batches of other sizes with that in the base cell.
func writeFlatness(w io.Writer, done []measured) {
	var base *measured
	for i := range done {
		if c := done[i].cell; base == nil && c == baseCell {
			base = &done[i]
		}
	}
	for i := range done {
		c := done[i].cell
		if base == nil || c.Pairs == baseCell.Pairs {
			continue
		}
		for _, op := range []string{"get", "set"} {
			ours, at := done[i].results.of("slotcast", op), base.results.of("slotcast", op)
			if ours != nil && at != nil {
				fmt.Fprintf(w, "slotcast %s: client CPU per pair at %d pairs is %.2f × that at %d\n", op, c.Pairs,
					ours.ClientCPU/float64(c.Pairs)/(at.ClientCPU/float64(baseCell.Pairs)), baseCell.Pairs)
			}
		}
	}
}
