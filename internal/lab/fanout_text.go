package main

import (
	"fmt"
	"io"

	"github.com/slotcast/slotcast/internal/lab/chart"
)

func (r *fanoutResult) text(w io.Writer) {
	fmt.Fprintf(w, "Fan-out: %s, %s per primary; %s.\n\n", plural(r.Keys, "key", "keys"), plural(r.Tags, "tag", "tags"), r.Cluster)
	if len(r.ChunkSlots) <= 12 {
		fmt.Fprintf(w, "Chunks of %d touch %v slots, in all %d; without tags the keys are in %d slots.\n\n", r.Chunk, r.ChunkSlots, sum(r.ChunkSlots), r.Untagged)
	}
	r.table().print(w)
	fmt.Fprintf(w, "\nCommands as the servers count them, by primary; times are per batch. All but the last are asked by one client.\n")
}

func (r *fanoutResult) table() table {
	t := table{Head: []string{"way", "commands", "by primary", "wall µs", "client CPU µs", "server CPU µs"}}
	for _, way := range r.Ways {
		t.row(way.Name, count(way.total()), terms(way.Commands), figures(way.Wall), figures(way.ClientCPU), figures(way.server()))
	}
	return t
}

func (r *fanoutResult) section() section {
	chunked, same, grouped := r.Ways[2], r.Ways[3], r.Ways[4]
	s := section{
		Name:     "fanout",
		Title:    fmt.Sprintf("Fan-out: %s, grouped first and not", plural(r.Keys, "key", "keys")),
		Args:     fmt.Sprintf("fanout -keys %d -chunk %d -tags %d", r.Keys, r.Chunk, r.Tags),
		Question: fmt.Sprintf("One batch of %s is asked for in five ways; the servers count the commands.", plural(r.Keys, "key", "keys")),
		Conclusion: [2]string{
			fmt.Sprintf("Cut in chunks of %d the tagged keys took %s, grouped by slot %s; without tags it was %s of GET, or %s of MGET for as many slots.",
				r.Chunk, plural(r.Chunked, "command", "commands"), count(r.Grouped), count(r.Gets), count(r.PerSlot)),
			fmt.Sprintf("Grouping alone took the batch from %s to %s µs and the client’s CPU time from %s to %s µs; with the library it was %s and %s µs.",
				figures(chunked.Wall), figures(same.Wall), figures(chunked.ClientCPU), figures(same.ClientCPU), figures(grouped.Wall), figures(grouped.ClientCPU)),
		},
		Verdicts: []verdict{
			{2, met(r.PerSlot == r.Untagged && r.Grouped < r.Untagged), fmt.Sprintf("%s keys without tags lie in %s slots and took %s MGETs; with tags %s",
				count(r.Keys), count(r.Untagged), count(r.PerSlot), count(r.Grouped))},
			{4, met(r.Grouped < r.Chunked && same.Wall < chunked.Wall), fmt.Sprintf("%s commands in %s µs when cut in chunks, %s in %s µs when grouped by the same client",
				count(r.Chunked), figures(chunked.Wall), count(same.total()), figures(same.Wall))},
		},
	}
	id := fmt.Sprintf("fanout-%d", r.Keys)
	s.Figures = []picture{r.timeline(id+"-chunked", chunked), r.timeline(id+"-grouped", grouped), r.commands(id + "-commands")}
	return s
}

func (r *fanoutResult) commands(id string) picture {
	var groups []chart.Group
	for _, way := range r.Ways {
		g := chart.Group{Name: way.Name}
		g.Bars = append(g.Bars, chart.Bar{Series: 0, Value: float64(way.total()), Text: fmt.Sprintf("%s: %s", count(way.total()), terms(way.Commands))})
		groups = append(groups, g)
	}
	return picture{
		ID:      id,
		Caption: fmt.Sprintf("Commands that the servers counted for %s, and after the colon by primary.", plural(r.Keys, "key", "keys")),
		SVG:     chart.Bars(chart.Title{ID: id, Text: fmt.Sprintf("Commands for %d keys, by way of asking", r.Keys)}, nil, groups),
		Table:   r.table(),
	}
}

func (r *fanoutResult) timeline(id string, way fanoutCost) picture {
	end := 0.0
	for _, w := range []fanoutCost{r.Ways[2], r.Ways[4]} {
		for _, s := range w.Spans {
			end = max(end, s.To)
		}
	}
	lanes := make([]chart.Lane, len(r.Nodes))
	t := table{Head: []string{"primary", "from µs", "to µs"}}
	for i, addr := range r.Nodes {
		lanes[i].Name = addr
	}
	for _, s := range way.Spans {
		lane := &lanes[s.Node]
		lane.Spans = append(lane.Spans, chart.Span{From: s.From, To: s.To, Series: s.Node})
		t.row(r.Nodes[s.Node], figures(s.From), figures(s.To))
	}
	some := ""
	if len(way.Spans) < way.total() {
		some = fmt.Sprintf(" (%d of %s)", len(way.Spans), count(way.total()))
	}
	return picture{
		ID:      id,
		Caption: fmt.Sprintf("Who waits for whom, %s: each line is a command%s, from sending it to having its reply. Both time lines have one scale.", way.Name, some),
		SVG:     chart.Timeline(chart.Title{ID: id, Text: "Time line of the commands by primary: " + way.Name}, "µs", end, lanes),
		Table:   t,
	}
}
