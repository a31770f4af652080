package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// columns are those behind the name of the contender: numbers are per batch, CPU and allocations medians over the turns. The last four are ratios,
// to the limit and to the best peer in that very number.
var columns = []string{"p50 µs", "p99 µs", "batches/s", "client CPU µs", "allocs", "alloc kB", "commands/primary",
	"writes/primary", "server CPU µs", "p50/limit", "CPU/limit", "p50/peer", "CPU/peer"}

func heading(op string) []string { return append([]string{op}, columns...) }

func (rs results) rows(op string) [][]string {
	var rows [][]string
	limit := rs.of("limit", op)
	wallPeer, cpuPeer := rs.best(op, anyPeer, p50), rs.best(op, anyPeer, clientCPU)
	for i := range rs {
		r := &rs[i]
		if r.Op != op {
			continue
		}
		rows = append(rows, []string{r.label(), number(r.P50), number(r.P99), number(r.Rate), number(r.ClientCPU), number(r.Allocs),
			number(r.AllocBytes / 1e3), number(r.Commands), number(r.Writes), number(r.ServerCPU),
			ratio(r, limit, p50), ratio(r, limit, clientCPU), ratio(r, wallPeer, p50), ratio(r, cpuPeer, clientCPU)})
	}
	return rows
}

// number has no more digits than it is worth.
func number(v float64) string {
	if v < 9.95 && v > 0.005 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
	}
	return fmt.Sprintf("%.0f", v)
}

func ratio(r, to *result, of func(*result) float64) string {
	if to == nil || of(to) == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", of(r)/of(to))
}

// writeTable prints a cell as text.
func writeTable(w io.Writer, c cell, rs results) error {
	fmt.Fprintf(w, "\n%v\n", c)
	for _, op := range []string{"get", "set"} {
		rows := rs.rows(op)
		if len(rows) == 0 {
			continue
		}
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, row := range append([][]string{heading(op)}, rows...) {
			fmt.Fprintln(tw, strings.Join(row, "\t")+"\t")
		}
		if err := tw.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// writeMarkdown prints a cell for a README.
func writeMarkdown(w io.Writer, c cell, rs results) error {
	fmt.Fprintf(w, "\n%v\n", c)
	for _, op := range []string{"get", "set"} {
		rows := rs.rows(op)
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n| %s |\n|---|%s\n", strings.Join(heading(op), " | "), strings.Repeat("---:|", len(columns)))
		for _, row := range rows {
			if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | ")); err != nil {
				return err
			}
		}
	}
	return nil
}
