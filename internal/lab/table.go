package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// A table is rows of text under a head, for a terminal and for the report. The first column is flush left there.
type table struct {
	Head []string
	Rows [][]string
}

func (t *table) row(cells ...string) { t.Rows = append(t.Rows, cells) }

func (t table) print(w io.Writer) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		fmt.Fprintln(tw, strings.Join(row, "\t")+"\t")
	}
	tw.Flush()
}
