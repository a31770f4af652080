package main

import (
	"fmt"
	"io"

	"github.com/slotcast/slotcast/internal/lab/chart"
)

func (r *hotspotResult) text(w io.Writer) {
	fmt.Fprintf(w, "Hot spots: one pass at %s asks %s trips, %s distinct keys; %s.\n\n", r.At, count(r.Trips), count(r.Keys), r.Cluster)
	r.table().print(w)
	fmt.Fprint(w, "\nThe fullest primary's share of the keys and of the servers' CPU; times are per batch.\n")
}

func (r *hotspotResult) table() table {
	t := table{Head: []string{"tag", "slots", "commands", "keys by primary", "fullest", "its CPU", "fullest slot", "wall µs", "server CPU µs"}}
	for _, tag := range r.Tags {
		t.row(tag.Name, count(tag.Slots), count(tag.total()), terms(tag.Keys), percent(tag.share()), percent(topShare(tag.ServerCPU)),
			percent(float64(tag.TopSlot)/float64(r.Keys)), figures(tag.Wall), figures(tag.server()))
	}
	return t
}

// extremes returns, of the tags by origin, the finest and the coarsest; nil where there is none.
func (r *hotspotResult) extremes() (fine, coarse *hotspotTag) {
	for i := range r.Tags {
		t := &r.Tags[i]
		if t.Origin == 0 {
			continue
		}
		if fine == nil || t.Origin > fine.Origin {
			fine = t
		}
		if coarse == nil || t.Origin < coarse.Origin {
			coarse = t
		}
	}
	return fine, coarse
}

// hotFrom is how many times an equal share of the keys the fullest primary has to have for a hot spot.
const hotFrom = 1.5

// hot reports whether a primary has far more than its share.
func (t *hotspotTag) hot() bool { return t.share()*float64(len(t.Keys)) >= hotFrom }

func (r *hotspotResult) section() section {
	anchors := r.Tags[0]
	fine, coarse := r.extremes()
	s := section{
		Name:     "hotspot",
		Title:    "A tag that means something makes a hot spot",
		Args:     fmt.Sprintf("hotspot -couriers %d", r.Couriers),
		Question: fmt.Sprintf("One dispatch pass at %s, %s, is stored and read under tags made of the cell where a trip begins, and under anchors.", r.At, plural(r.Keys, "key", "keys")),
		Conclusion: [2]string{
			fmt.Sprintf("A tag of the origin’s cell at resolution %d put %s of the keys and %s of the servers’ CPU time on one primary of %d, one at resolution %d put %s of the keys there, but took %s commands.",
				coarse.Origin, percent(coarse.share()), percent(topShare(coarse.ServerCPU)), len(coarse.Keys), fine.Origin, percent(fine.share()), count(fine.total())),
			fmt.Sprintf("Anchors put %s on the fullest primary in %s, which cost it %s µs of CPU against %s and %s; the batch took %s µs against %s and %s, here where all servers share the processors.",
				percent(anchors.share()), plural(anchors.total(), "command", "commands"), figures(maxOf(anchors.ServerCPU)), figures(maxOf(coarse.ServerCPU)),
				figures(maxOf(fine.ServerCPU)), figures(anchors.Wall), figures(coarse.Wall), figures(fine.Wall)),
		},
		Figures: []picture{r.shares(), r.prices()},
	}
	why := fmt.Sprintf("the fullest primary had %s of the keys under anchors, %s with the origin’s cell at resolution %d and %s at resolution %d; the fullest slot %s and %s with the origin’s cell",
		percent(anchors.share()), percent(fine.share()), fine.Origin, percent(coarse.share()), coarse.Origin,
		percent(float64(fine.TopSlot)/float64(r.Keys)), percent(float64(coarse.TopSlot)/float64(r.Keys)))
	switch {
	case fine.hot():
		s.Verdicts = []verdict{{3, yes, why}}
	case coarse.hot():
		s.Verdicts = []verdict{{3, partly, why + fmt.Sprintf(": a fine cell is no hot spot but costs %s commands a batch", count(fine.total()))}}
	default:
		s.Verdicts = []verdict{{3, no, why}}
	}
	return s
}

func (r *hotspotResult) shares() picture {
	var groups []chart.Group
	for _, t := range r.Tags {
		groups = append(groups, chart.Group{Name: t.Name, Bars: []chart.Bar{
			{Series: 0, Value: t.share(), Text: percent(t.share())},
			{Series: 1, Value: topShare(t.ServerCPU), Text: percent(topShare(t.ServerCPU))},
		}})
	}
	return picture{
		ID:      "hotspot-shares",
		Caption: fmt.Sprintf("The busiest of %s: its share of the keys and of all servers’ CPU time. An equal share is %s.", plural(len(r.Tags[0].Keys), "primary", "primaries"), percent(1/float64(len(r.Tags[0].Keys)))),
		SVG:     chart.Bars(chart.Title{ID: "hotspot-shares", Text: "Share of the busiest primary by kind of tag"}, []string{"share of the keys", "share of the servers’ CPU"}, groups),
		Table:   r.table(),
	}
}

func (r *hotspotResult) prices() picture {
	t := table{Head: []string{"tag", "commands", "batch µs", "server CPU µs by primary"}}
	var groups []chart.Group
	for _, tag := range r.Tags {
		groups = append(groups, chart.Group{Name: fmt.Sprintf("%s: %s", tag.Name, plural(tag.total(), "command", "commands")), Bars: []chart.Bar{
			{Series: 0, Value: tag.Wall, Text: figures(tag.Wall) + " µs"},
			{Series: 1, Value: maxOf(tag.ServerCPU), Text: figures(maxOf(tag.ServerCPU)) + " µs"},
		}})
		t.row(tag.Name, count(tag.total()), figures(tag.Wall), terms(rounded(tag.ServerCPU)))
	}
	return picture{
		ID:      "hotspot-time",
		Caption: "What follows: the time of the batch, and the CPU time of the busiest primary for it.",
		SVG:     chart.Bars(chart.Title{ID: "hotspot-time", Text: "Batch time and CPU time of the busiest primary by kind of tag"}, []string{"batch", "busiest primary’s CPU"}, groups),
		Table:   t,
	}
}
