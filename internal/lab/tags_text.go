package main

import (
	"fmt"
	"io"

	"github.com/slotcast/slotcast/internal/lab/chart"
)

func (r *tagsResult) text(w io.Writer) {
	fmt.Fprintf(w, "Tags: %s, %s of them in the cache; %s.\n\n", plural(r.Keys, "key", "keys"), count(r.Hits), r.Cluster)
	r.table().print(w)
	fmt.Fprint(w, "\nThe fullest primary's share of the keys; commands as the servers count them; times are per batch.\n")
}

func (r *tagsResult) table() table {
	t := table{Head: []string{"tags per primary", "commands", "by primary", "keys by primary", "fullest", "wall µs", "client CPU µs", "server CPU µs"}}
	for _, k := range r.Tags {
		t.row(count(k.Tags), count(k.total()), terms(k.Commands), terms(k.ByPrimary), percent(topShare(k.ByPrimary)),
			figures(k.Wall), figures(k.ClientCPU), figures(k.server()))
	}
	return t
}

func (r *tagsResult) section() section {
	first, last := r.Tags[0], r.Tags[len(r.Tags)-1]
	var groups []chart.Group
	for _, k := range r.Tags {
		groups = append(groups, chart.Group{Name: fmt.Sprintf("%s per primary: %s", k.Name, plural(k.total(), "command", "commands")), Bars: []chart.Bar{
			{Series: 0, Value: k.Wall, Text: figures(k.Wall)},
			{Series: 1, Value: k.server(), Text: figures(k.server())},
			{Series: 2, Value: k.ClientCPU, Text: figures(k.ClientCPU)},
		}})
	}
	return section{
		Name:     "tags",
		Title:    "How many tags per primary",
		Args:     "tags",
		Question: fmt.Sprintf("A batch of %s, %s of them hits, is read with more and more tags.", plural(r.Keys, "key", "keys"), percent(float64(r.Hits)/float64(r.Keys))),
		Conclusion: [2]string{
			fmt.Sprintf("From %d to %d tags per primary the commands went from %s to %s and the batch from %s to %s µs, the client’s CPU time from %s to %s µs.",
				first.Tags, last.Tags, count(first.total()), count(last.total()), figures(first.Wall), figures(last.Wall), figures(first.ClientCPU), figures(last.ClientCPU)),
			fmt.Sprintf("The fullest primary had %s of the keys with %d and %s with %d.",
				percent(topShare(first.ByPrimary)), first.Tags, percent(topShare(last.ByPrimary)), last.Tags),
		},
		Figures: []picture{{
			ID:      "tags-cost",
			Caption: "Microseconds per batch by number of tags.",
			SVG:     chart.Bars(chart.Title{ID: "tags-cost", Text: "Batch time and CPU by number of tags per primary"}, []string{"wall time", "CPU of all servers", "CPU of the client"}, groups),
			Table:   r.table(),
		}},
	}
}
