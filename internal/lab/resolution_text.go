package main

import (
	"fmt"
	"io"

	"github.com/slotcast/slotcast/internal/lab/chart"
)

func (r *dialResult) text(w io.Writer) {
	fmt.Fprintf(w, "Resolution: an evening with %s couriers, %s trips asked for, time to live %s.\n\n", count(r.Couriers), count(r.Trips), r.TTL)
	r.table().print(w)
	fmt.Fprint(w, "\nErrors are of the hits, against what the routing engine would have said at that moment.\n")
}

func (r *dialResult) table() table {
	t := table{Head: []string{"key", "hit rate", "keys", "mean error s", "95 % under s", "mean error %", "95 % under %"}}
	for _, s := range r.Settings {
		t.row(s.Name, percent(s.HitRate), count(s.Keys), figures(s.MeanSeconds), figures(s.P95Seconds), figures(s.MeanPercent), figures(s.P95Percent))
	}
	return t
}

// neverHits is the hit rate under which the lab says that a cache never hits.
const neverHits = 0.05

func (r *dialResult) section() section {
	raw, coarse, fine := r.Settings[0], r.Settings[1], r.Settings[len(r.Settings)-1]
	why := fmt.Sprintf("over an evening raw coordinates hit %s of the time (the same trip asked again while an order is open), cells of resolution %d hit %s and those of resolution %d hit %s",
		percent(raw.HitRate), fine.Resolution, percent(fine.HitRate), coarse.Resolution, percent(coarse.HitRate))
	claim := partly
	switch {
	case raw.HitRate >= coarse.HitRate:
		claim = no
	case raw.HitRate < neverHits:
		claim = yes
	}
	return section{
		Name:     "resolution",
		Title:    "Resolution: a dial between hits and precision",
		Args:     fmt.Sprintf("resolution -couriers %d -ttl %s", r.Couriers, r.TTL),
		Question: fmt.Sprintf("An evening’s %s trips are asked of a cache of each H3 resolution, with a time to live of %s; each hit is compared with the routing engine.", count(r.Trips), r.TTL),
		Conclusion: [2]string{
			fmt.Sprintf("Resolution %d hits %s of the time with a mean error of %s s, resolution %d hits %s with %s s.",
				coarse.Resolution, percent(coarse.HitRate), figures(coarse.MeanSeconds), fine.Resolution, percent(fine.HitRate), figures(fine.MeanSeconds)),
			fmt.Sprintf("Raw coordinates hit %s of the time and are %s s off, which is the traffic that changed since.", percent(raw.HitRate), figures(raw.MeanSeconds)),
		},
		Figures:  []picture{r.curve(), r.errors()},
		Verdicts: []verdict{{1, claim, why}},
	}
}

func (r *dialResult) curve() picture {
	points := func(of func(dialSetting) float64, label bool) (all []chart.Point) {
		for _, s := range r.Settings {
			if s.raw() {
				continue
			}
			p := chart.Point{X: of(s), Y: s.HitRate * 100}
			if label {
				p.Label = fmt.Sprint(s.Resolution)
			}
			all = append(all, p)
		}
		return all
	}
	return picture{
		ID:      "resolution-curve",
		Caption: fmt.Sprintf("The dial as a curve: the points are resolutions, from %d at the top right to %d. Up is more hits, left is more precise.", r.Settings[1].Resolution, r.Settings[len(r.Settings)-1].Resolution),
		SVG: chart.Lines(chart.Title{ID: "resolution-curve", Text: "Hit rate against the error of hits, by resolution"},
			chart.Axis{Name: "error of a hit, seconds"}, chart.Axis{Name: "hit rate, %"},
			[]chart.Line{
				{Name: "mean error", Points: points(func(s dialSetting) float64 { return s.MeanSeconds }, true)},
				{Name: "95 % of errors are smaller", Points: points(func(s dialSetting) float64 { return s.P95Seconds }, false)},
			}),
		Table: r.table(),
	}
}

func (r *dialResult) errors() picture {
	line := func(name string, of func(dialSetting) float64) chart.Line {
		l := chart.Line{Name: name}
		for _, s := range r.Settings {
			if !s.raw() {
				l.Points = append(l.Points, chart.Point{X: float64(s.Resolution), Y: of(s)})
			}
		}
		return l
	}
	return picture{
		ID:      "resolution-percent",
		Caption: "Hit rate and error by resolution, all in per cent; a trip of under half a minute counts as one of half a minute.",
		SVG: chart.Lines(chart.Title{ID: "resolution-percent", Text: "Hit rate and relative error by resolution"},
			chart.Axis{Name: "H3 resolution", Low: float64(r.Settings[1].Resolution)}, chart.Axis{Name: "%"},
			[]chart.Line{
				line("hit rate", func(s dialSetting) float64 { return s.HitRate * 100 }),
				line("mean error", func(s dialSetting) float64 { return s.MeanPercent }),
				line("95 % of errors are smaller", func(s dialSetting) float64 { return s.P95Percent }),
			}),
		Table: r.table(),
	}
}
