package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/slotcast/slotcast/internal/lab/chart"
)

// stripWidth is that of a primary's slots on a terminal, in columns.
const stripWidth = 60

// tag is the tag of an integer.
func (r *walkResult) tag(n int) string {
	return "{" + strings.Replace(r.Template, "%d", fmt.Sprint(n), 1) + "}"
}

func (r *walkResult) text(w io.Writer) {
	fmt.Fprintf(w, "The walk: tags %s for n = 0, 1, 2, … until each of %s has %d.\n\n",
		strings.Replace(r.tag(0), "0}", "n}", 1), plural(len(r.Primaries), "primary", "primaries"), r.Tags)
	r.steps().print(w)
	fmt.Fprintf(w, "\nSlots of each primary, + kept, - skipped:\n\n")
	for i, p := range r.Primaries {
		fmt.Fprintf(w, "%16s  |%s|\n%16s   kept %s; skipped %s\n", p.span(), r.strip(i), p.Name, r.integers(i, true), orNone(r.integers(i, false)))
	}
	fmt.Fprintf(w, "\n%d tried, %d skipped, %d kept.\n", r.Sum.Tried, r.Sum.Skipped, len(r.Sum.Anchors))
}

func (r *walkResult) steps() table {
	t := table{Head: []string{"n", "slot", "primary", ""}}
	for _, s := range r.Steps {
		what, where := "skipped", "nobody"
		if s.Kept {
			what = "kept"
		}
		if s.Primary >= 0 {
			where = r.Primaries[s.Primary].Name
		}
		t.row(fmt.Sprint(s.N), fmt.Sprint(s.Slot), where, what)
	}
	return t
}

// position is where in the slots of a primary a slot is, from 0 to below 1.
func (p walkPrimary) position(slot uint16) float64 {
	before := 0
	for _, r := range p.Slots {
		if slot >= r.Start && slot < r.End {
			return float64(before+int(slot-r.Start)) / float64(p.size())
		}
		before += int(r.End) - int(r.Start)
	}
	return 0
}

// strip draws the slots of a primary as characters.
func (r *walkResult) strip(primary int) string {
	cells := []byte(strings.Repeat(" ", stripWidth))
	for _, s := range r.Steps {
		if s.Primary != primary {
			continue
		}
		at := int(r.Primaries[primary].position(s.Slot) * stripWidth)
		if s.Kept {
			cells[at] = '+'
		} else if cells[at] == ' ' {
			cells[at] = '-'
		}
	}
	return string(cells)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func (r *walkResult) section() section {
	var rows []chart.StripRow
	for i, p := range r.Primaries {
		row := chart.StripRow{Name: p.Name + ", slots " + p.span()}
		for _, s := range r.Steps {
			if s.Primary == i {
				row.Marks = append(row.Marks, chart.Mark{At: p.position(s.Slot), Label: fmt.Sprint(s.N), Faint: !s.Kept})
			}
		}
		rows = append(rows, row)
	}
	even := true
	for _, n := range r.Sum.PerPrimary {
		even = even && (n == 0 || n == r.Tags)
	}
	return section{
		Name:     "walk",
		Title:    "The walk: tags that carry no meaning",
		Args:     fmt.Sprintf("walk -primaries %d -tags %d", len(r.Primaries), r.Tags),
		Question: "Integers are tried in turn. One is kept if the primary that owns its tag’s slot still has an open seat.",
		Conclusion: [2]string{
			fmt.Sprintf("%d integers were tried and %d skipped until each of %d primaries had its %d.", r.Sum.Tried, r.Sum.Skipped, len(r.Primaries), r.Tags),
			fmt.Sprintf("The anchors are %s: a function of the cluster’s shape alone, so every process finds the same ones and stores nothing.", runs(r.Sum.Anchors)),
		},
		Figures: []picture{{
			ID:      "walk-strip",
			Caption: "Where the tags fall in each primary’s slots: solid marks were kept, faint ones met a primary without an open seat.",
			SVG:     chart.Strip(chart.Title{ID: "walk-strip", Text: "Slots of each primary with the integers that were kept and skipped"}, rows),
			Table:   r.steps(),
		}},
		Verdicts: []verdict{{3, met(even), fmt.Sprintf("every primary got %d anchors after %d integers", r.Tags, r.Sum.Tried)}},
	}
}

// runs writes ascending integers with their runs drawn together: 0–17, 23 and 27.
func runs(all []int) string {
	var parts []string
	for i := 0; i < len(all); {
		j := i
		for j+1 < len(all) && all[j+1] == all[j]+1 {
			j++
		}
		if j > i+1 {
			parts = append(parts, fmt.Sprintf("%d–%d", all[i], all[j]))
		} else {
			j = i
			parts = append(parts, fmt.Sprint(all[i]))
		}
		i = j + 1
	}
	if more := len(parts) - 10; more > 1 {
		parts = append(parts[:10], fmt.Sprintf("%d more", more))
	}
	return list(parts)
}
