package main

import (
	"fmt"
	"io"

	"github.com/slotcast/slotcast/internal/lab/chart"
)

func (r *peersResult) text(w io.Writer) {
	fmt.Fprintf(w, "Peers: a batch of %s, %d %% of them in the cache, %s, %s.\n", plural(r.Pairs, "pair", "pairs"), r.Hits, plural(r.Shards, "primary", "primaries"), r.Server)
	for _, op := range []string{"get", "set"} {
		if t := r.table(op); len(t.Rows) > 0 {
			fmt.Fprintf(w, "\n%s\n", op)
			t.print(w)
		}
	}
}

func (r *peersResult) table(op string) table {
	t := table{Head: []string{"client", "p50 µs", "p99 µs", "client CPU µs", "server CPU µs", "allocs", "commands by primary"}}
	for _, c := range r.Clients {
		if c.Op == op {
			t.row(c.label(), figures(c.P50), figures(c.P99), figures(c.ClientCPU), figures(c.ServerCPU), figures(c.Allocs), figures(c.Commands))
		}
	}
	return t
}

func (r *peersResult) section() section {
	ours, peer := r.ours("get"), r.best("get", true)
	s := section{
		Name:     "peers",
		Title:    "Beside other clients",
		Args:     "peers",
		Question: fmt.Sprintf("A batch of %s is read and written by this library, by go-redis and rueidis, and by a client that only moves the bytes (limit).", plural(r.Pairs, "pair", "pairs")),
		Conclusion: [2]string{
			fmt.Sprintf("Reading took this library %s µs and %s µs of CPU, the fastest peer with the same tags (%s) %s µs and %s µs.",
				figures(ours.P50), figures(ours.ClientCPU), peer.label(), figures(peer.P50), figures(peer.ClientCPU)),
			fmt.Sprintf("It made %s allocations a batch, the peer %s.", figures(ours.Allocs), figures(peer.Allocs)),
		},
	}
	if limit := r.of("limit", "get"); limit != nil {
		s.Conclusion[1] = fmt.Sprintf("It made %s allocations a batch, the peer %s; the bytes alone took %s µs and %s µs of CPU.",
			figures(ours.Allocs), figures(peer.Allocs), figures(limit.P50), figures(limit.ClientCPU))
	}
	for _, op := range []string{"get", "set"} {
		if r.ours(op) != nil {
			s.Figures = append(s.Figures, r.picture(op))
		}
	}
	return s
}

func (r *peersResult) picture(op string) picture {
	var groups []chart.Group
	for _, c := range r.Clients {
		if c.Op == op {
			groups = append(groups, chart.Group{Name: c.label(), Bars: []chart.Bar{
				{Series: 0, Value: c.P50, Text: figures(c.P50)},
				{Series: 1, Value: c.ClientCPU, Text: fmt.Sprintf("%s, %s allocs", figures(c.ClientCPU), figures(c.Allocs))},
			}})
		}
	}
	id := "peers-" + op
	return picture{
		ID:      id,
		Caption: fmt.Sprintf("Microseconds for one batch (%s): median time, and CPU time of the client.", op),
		SVG:     chart.Bars(chart.Title{ID: id, Text: "Time and CPU of a batch by client, " + op}, []string{"median time", "CPU of the client"}, groups),
		Table:   r.table(op),
	}
}
