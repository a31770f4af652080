package chart

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// A Line is points in the order in which they are joined.
type Line struct {
	Name   string // of the legend; "" = not in it
	Points []Point
}

// A Point may have a label beside it, which is left out where it would lie on that of the point before.
type Point struct {
	X, Y  float64
	Label string
}

// An Axis begins at Low.
type Axis struct {
	Name string
	Low  float64
}

const (
	plotLeft, plotRight = 34.0, width - 10
	plotHeight          = 200.0
)

// Lines draws lines over linear axes, which reach from their low ends to the largest values.
func Lines(t Title, x, y Axis, lines []Line) template.HTML {
	d := drawing{Title: t}
	var names []string
	highX, highY := x.Low, y.Low
	for _, l := range lines {
		if l.Name != "" {
			names = append(names, l.Name)
		}
		for _, p := range l.Points {
			highX, highY = max(highX, p.X), max(highY, p.Y)
		}
	}
	highY += (highY - y.Low) * 0.08
	if highX == x.Low || highY == y.Low {
		highX, highY = x.Low+1, y.Low+1
	}
	top := d.legend(names) + line
	d.text(0, top-2, "start", "axis", y.Name)
	top += 8
	px := func(v float64) float64 { return plotLeft + (v-x.Low)/(highX-x.Low)*(plotRight-plotLeft) }
	py := func(v float64) float64 { return top + plotHeight - (v-y.Low)/(highY-y.Low)*plotHeight }

	for _, v := range ticks(y.Low, highY, 5) {
		d.Lines = append(d.Lines, rule{plotLeft, py(v), plotRight, py(v), "grid"})
		d.text(plotLeft-6, py(v)+4, "end", "axis", plain(v))
	}
	for _, v := range ticks(x.Low, highX, 7) {
		d.Lines = append(d.Lines, rule{px(v), top + plotHeight, px(v), top + plotHeight + 4, "grid"})
		d.text(px(v), top+plotHeight+line+1, "middle", "axis", plain(v))
	}
	d.text(plotRight, top+plotHeight+2*line+2, "end", "axis", x.Name)
	for i, l := range lines {
		d.curve(series(i), l.Points, px, py)
	}
	d.Height = top + plotHeight + 2*line + 8
	return d.render()
}

func (d *drawing) curve(class string, points []Point, px, py func(float64) float64) {
	var b strings.Builder
	lastX, lastY := math.Inf(-1), math.Inf(-1) // of the last label
	for i, p := range points {
		fmt.Fprintf(&b, "%c%s %s", "ML"[min(i, 1)], units(px(p.X)), units(py(p.Y)))
		d.Dots = append(d.Dots, dot{px(p.X), py(p.Y), class})
		if p.Label == "" {
			continue
		}
		// Above and to the left, where a rising curve is not; near the axis, whose numbers are there, to the right.
		x, y, anchor := px(p.X)-4, py(p.Y)-5, "end"
		if x-wide(p.Label) < plotLeft {
			x, y, anchor = px(p.X)+7, py(p.Y)+4, "start"
		}
		if math.Abs(x-lastX) < 14 && math.Abs(y-lastY) < 11 {
			continue // it would lie on the one before
		}
		d.text(x, y, anchor, "value", p.Label)
		lastX, lastY = x, y
	}
	d.Paths = append(d.Paths, path{b.String(), class})
}
