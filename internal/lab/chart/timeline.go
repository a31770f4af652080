package chart

import "html/template"

// A Lane is spans below each other, of one party.
type Lane struct {
	Name  string
	Spans []Span
}

// A Span is from one time to a later one.
type Span struct {
	From, To float64
	Series   int
}

// Timeline draws lanes over a time axis that reaches from 0 to end, so that two of them can be compared.
func Timeline(t Title, axis string, end float64, lanes []Lane) template.HTML {
	d := drawing{Title: t}
	most := 0
	for _, l := range lanes {
		most = max(most, len(l.Spans))
	}
	size := 8.0 // of a span, with the gap below it
	if most > 12 {
		size = 4
	}
	if most > 40 {
		size = 2
	}
	x := func(v float64) float64 { return v / end * (width - 12) }
	y := 0.0
	for _, l := range lanes {
		y += line
		d.text(0, y, "start", "label", l.Name)
		y += 5
		high := size*float64(len(l.Spans)) + 2
		d.Rects = append(d.Rects, rect{0, y, width, high, "track"})
		for i, s := range l.Spans {
			d.Rects = append(d.Rects, rect{x(s.From), y + 1 + float64(i)*size, max(x(s.To)-x(s.From), 1), size * 0.8, series(s.Series)})
		}
		y += high + 3
	}
	for _, v := range ticks(0, end, 5) {
		anchor := "middle"
		if v == 0 {
			anchor = "start"
		}
		d.Lines = append(d.Lines, rule{x(v), y, x(v), y + 4, "grid"})
		d.text(x(v), y+line+2, anchor, "axis", plain(v))
	}
	d.text(width, y+2*line+2, "end", "axis", axis)
	d.Height = y + 2*line + 8
	return d.render()
}
