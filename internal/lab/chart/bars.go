package chart

import "html/template"

// A Group is bars under one name.
type Group struct {
	Name string
	Bars []Bar
}

// A Bar has a length, not negative, and what is written beside it.
type Bar struct {
	Series int
	Value  float64
	Text   string
}

// Bars draws groups of horizontal bars. names are those of the series, for a legend; none = no legend.
func Bars(t Title, names []string, groups []Group) template.HTML {
	d := drawing{Title: t}
	y := d.legend(names)
	most, reserve := 0.0, 0.0
	for _, g := range groups {
		for _, b := range g.Bars {
			most, reserve = max(most, b.Value), max(reserve, wide(b.Text)+10)
		}
	}
	for _, g := range groups {
		y += line
		d.text(0, y, "start", "label", g.Name)
		y += 5
		for _, b := range g.Bars {
			length := 0.0
			if most > 0 {
				length = b.Value / most * (width - reserve)
			}
			d.Rects = append(d.Rects, rect{0, y, max(length, 1), barSize, series(b.Series)})
			d.text(max(length, 1)+6, y+barSize-2.5, "start", "value", b.Text)
			y += barSize + 3
		}
		y += 3
	}
	d.Height = y + 2
	return d.render()
}
