package main

import (
	"fmt"
	"io"

	"github.com/slotcast/slotcast/internal/lab/chart"
)

func (r *fanoutResult) text(w io.Writer) {
	fmt.Fprintf(w, "Fan-out: %s, %s tags per primary, %s.\n\n", plural(r.Keys, "key", "keys"), count(r.Tags), r.Cluster)
	if len(r.ChunkSlots) <= 30 {
		fmt.Fprintf(w, "Chunks of %d touch %v slots, in all %d; without tags the keys are in %d slots.\n\n", r.Chunk, r.ChunkSlots, sum(r.ChunkSlots), r.Untagged)
	}
	r.table().print(w)
	fmt.Fprintf(w, "\nCommands as the servers count them, by primary; times are per batch.\n")
}

func (r *fanoutResult) table() table {
	t := table{Head: []string{"way", "commands", "by primary", "wall µs", "client CPU µs", "server CPU µs"}}
	for _, way := range r.Ways {
		t.row(way.Name, count(way.total()), fmt.Sprint(way.Commands), figures(way.Wall), figures(way.ClientCPU), figures(way.server()))
	}
	return t
}

// drawnSpans bounds the spans of one figure.
const drawnSpans = 300

func (r *fanoutResult) section() section {
	chunked, grouped := r.Ways[2], r.Ways[3]
	s := section{
		Name:     "fanout",
		Title:    "Fan-out: group first, then one write per primary",
		Args:     fmt.Sprintf("fanout -keys %d -chunk %d -tags %d", r.Keys, r.Chunk, r.Tags),
		Question: fmt.Sprintf("One batch of %s is asked for in four ways; the servers count the commands.", plural(r.Keys, "key", "keys")),
		Conclusion: [2]string{
			fmt.Sprintf("Cut in chunks of %d the tagged keys took %s, grouped by slot %s; without tags it was %s of GET, or %s of MGET for as many slots.",
				r.Chunk, plural(r.Chunked, "command", "commands"), count(r.Grouped), count(r.Gets), count(r.PerSlot)),
			fmt.Sprintf("The grouped batch took %s µs against %s in chunks (%s), with %s of the client’s CPU time.",
				figures(grouped.Wall), figures(chunked.Wall), ratio(grouped.Wall, chunked.Wall), percent(grouped.ClientCPU/chunked.ClientCPU)),
		},
		Verdicts: []verdict{
			{2, met(r.PerSlot == r.Untagged && r.Grouped < r.Untagged), fmt.Sprintf("%s keys without tags lie in %s slots and took %s MGETs; with tags %s",
				count(r.Keys), count(r.Untagged), count(r.PerSlot), count(r.Grouped))},
			{4, met(r.Grouped < r.Chunked && grouped.Wall < chunked.Wall), fmt.Sprintf("%s commands in %s µs when cut in chunks, %s in %s µs when grouped",
				count(r.Chunked), figures(chunked.Wall), count(r.Grouped), figures(grouped.Wall))},
		},
	}
	id := fmt.Sprintf("fanout-%d", r.Keys)
	s.Figures = append(s.Figures, r.commands(id+"-commands"))
	s.Figures = append(s.Figures, r.timeline(id+"-chunked", chunked), r.timeline(id+"-grouped", grouped))
	return s
}

// ratio says how a compares with b, as in "0.5 times".
func ratio(a, b float64) string { return times(a, b) }

func (r *fanoutResult) commands(id string) picture {
	var groups []chart.Group
	for _, way := range r.Ways {
		g := chart.Group{Name: way.Name}
		g.Bars = append(g.Bars, chart.Bar{Series: 0, Value: float64(way.total()), Text: fmt.Sprintf("%s (%v)", count(way.total()), way.Commands)})
		groups = append(groups, g)
	}
	return picture{
		ID:      id,
		Caption: fmt.Sprintf("Commands that the servers counted for %s, in brackets by primary.", plural(r.Keys, "key", "keys")),
		SVG:     chart.Bars(chart.Title{ID: id, Text: fmt.Sprintf("Commands for %d keys, by way of asking", r.Keys)}, nil, groups),
		Table:   r.table(),
	}
}

func (r *fanoutResult) timeline(id string, way fanoutCost) picture {
	end := 0.0
	for _, w := range r.Ways[2:] {
		for _, s := range w.Spans {
			end = max(end, s.To)
		}
	}
	lanes := make([]chart.Lane, len(r.Nodes))
	t := table{Head: []string{"primary", "from µs", "to µs"}}
	for i, addr := range r.Nodes {
		lanes[i].Name = addr
	}
	for i, s := range way.Spans {
		if i == drawnSpans {
			break
		}
		lane := &lanes[s.Node]
		lane.Spans = append(lane.Spans, chart.Span{From: s.From, To: s.To, Series: s.Node})
		t.row(r.Nodes[s.Node], figures(s.From), figures(s.To))
	}
	return picture{
		ID: id,
		Caption: fmt.Sprintf("Who waits for whom, %s keys %s: each line is a command, from sending it to having its reply. Both time lines have one scale.",
			count(r.Keys), way.Name),
		SVG:   chart.Timeline(chart.Title{ID: id, Text: "Time line of the commands by primary: " + way.Name}, "µs", end, lanes),
		Table: t,
	}
}
