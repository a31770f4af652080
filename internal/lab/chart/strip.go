package chart

import (
	"html/template"
	"slices"
)

// A StripRow is a strip with marks on it.
type StripRow struct {
	Name  string
	Marks []Mark
}

// A Mark stands At a part of the strip, from 0 to 1.
type Mark struct {
	At    float64
	Label string
	Faint bool
}

// Strip draws rows of strips. Labels that would touch are put on two levels, or left out.
func Strip(t Title, rows []StripRow) template.HTML {
	d := drawing{Title: t}
	const high, inset = 14.0, 4.0
	y := 0.0
	for _, r := range rows {
		y += line
		d.text(0, y, "start", "label", r.Name)
		y += 6 + 2*line
		d.Rects = append(d.Rects, rect{0, y, width, high, "track"})
		marks := slices.Clone(r.Marks)
		slices.SortFunc(marks, func(a, b Mark) int {
			if a.At < b.At {
				return -1
			}
			return 1
		})
		free := [2]float64{0, 0} // where each level, the lower first, has room again
		for _, m := range marks {
			x := inset + m.At*(width-2*inset)
			class, label := "s1", "value"
			if m.Faint {
				class, label = "faint", "axis"
			}
			d.Rects = append(d.Rects, rect{x - 1.5, y - 2, 3, high + 4, class})
			half := wide(m.Label)/2 + 1
			for level := range free {
				if x-half >= free[level] {
					d.text(x, y-6-float64(level)*13, "middle", label, m.Label)
					free[level] = x + half + 2
					break
				}
			}
		}
		y += high + 8
	}
	d.Height = y + 2
	return d.render()
}
