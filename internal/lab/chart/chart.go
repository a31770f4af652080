// Package chart draws the few figures of the lab's report as SVG: Bars, Lines, Strip and Timeline.
//
// A drawing is 340 units wide, so that its letters can be read on a phone, and has no colours of its own: the classes s1 to
// s5 of the series and label, value, axis, grid, track and faint are for the page's style sheet, which knows about light and
// dark. Each has a title and, where given, a description for those who do not see it.
package chart

import (
	"html/template"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Title names a drawing. ID is unique on the page.
type Title struct{ ID, Text, Description string }

const (
	width   = 340.0
	line    = 16.0 // height of a line of text
	letter  = 6.4  // about the width of a character
	barSize = 13.0
)

// drawing is what a chart consists of, in units from the top left corner.
type drawing struct {
	Title
	Height float64
	Rects  []rect
	Lines  []rule
	Paths  []path
	Dots   []dot
	Texts  []text
}

type rect struct {
	X, Y, W, H float64
	Class      string
}

type rule struct {
	X1, Y1, X2, Y2 float64
	Class          string
}

type path struct{ D, Class string }

type dot struct {
	X, Y  float64
	Class string
}

type text struct {
	X, Y   float64
	Anchor string // start, middle or end
	Class  string
	Text   string
}

var svg = template.Must(template.New("svg").Funcs(template.FuncMap{"f": units}).Parse(
	`<svg viewBox="0 0 340 {{f .Height}}" role="img" aria-labelledby="{{.ID}}-title{{if .Description}} {{.ID}}-desc{{end}}">
<title id="{{.ID}}-title">{{.Text}}</title>{{if .Description}}<desc id="{{.ID}}-desc">{{.Description}}</desc>{{end}}
{{range .Rects}}<rect x="{{f .X}}" y="{{f .Y}}" width="{{f .W}}" height="{{f .H}}" class="{{.Class}}"/>
{{end}}{{range .Lines}}<line x1="{{f .X1}}" y1="{{f .Y1}}" x2="{{f .X2}}" y2="{{f .Y2}}" class="{{.Class}}"/>
{{end}}{{range .Paths}}<path d="{{.D}}" class="{{.Class}}"/>
{{end}}{{range .Dots}}<circle cx="{{f .X}}" cy="{{f .Y}}" r="3.5" class="{{.Class}}"/>
{{end}}{{range .Texts}}<text x="{{f .X}}" y="{{f .Y}}" text-anchor="{{.Anchor}}" class="{{.Class}}">{{.Text}}</text>
{{end}}</svg>`))

// units writes a length.
func units(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

// render makes the SVG. The template is fixed and escapes what it is given, so that it cannot fail.
func (d *drawing) render() template.HTML {
	var b strings.Builder
	if err := svg.Execute(&b, d); err != nil {
		panic(err)
	}
	return template.HTML(b.String())
}

func (d *drawing) text(x, y float64, anchor, class, s string) {
	d.Texts = append(d.Texts, text{x, y, anchor, class, s})
}

// legend draws the names of the series from the top and returns the height it took.
func (d *drawing) legend(names []string) float64 {
	if len(names) == 0 {
		return 0
	}
	x, y := 0.0, line
	for i, name := range names {
		need := 16 + wide(name) + 12
		if x > 0 && x+need > width {
			x, y = 0, y+line
		}
		d.Rects = append(d.Rects, rect{x, y - 10, 11, 11, series(i)})
		d.text(x+16, y, "start", "label", name)
		x += need
	}
	return y + 10
}

// series is the class of series i.
func series(i int) string { return "s" + strconv.Itoa(i%5+1) }

// wide is about the width of s.
func wide(s string) float64 { return letter * float64(utf8.RuneCountInString(s)) }

// ticks returns round numbers from low to high, about n of them.
func ticks(low, high float64, n int) (all []float64) {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/float64(n))))
	for _, m := range []float64{1, 2, 5, 10} {
		if (high-low)/(step*m) <= float64(n) {
			step *= m
			break
		}
	}
	for i := math.Ceil(low / step); i*step <= high*(1+1e-9); i++ {
		all = append(all, i*step)
	}
	return all
}

// plain writes a tick.
func plain(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64) }
