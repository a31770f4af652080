package chart_test

import (
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/lab/chart"
)

var title = chart.Title{ID: "x", Text: "A & B", Description: `<more> "text"`}

// shapes reads an SVG as XML, requires every number to be one within the drawing, and returns how often each element occurs.
func shapes(t *testing.T, svg template.HTML) map[string]int {
	t.Helper()
	n := map[string]int{}
	width, height := 0.0, 0.0
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		require.NoError(t, err, svg)
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		n[e.Name.Local]++
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "viewBox":
				box := strings.Fields(a.Value)
				require.Len(t, box, 4)
				width, _ = strconv.ParseFloat(box[2], 64)
				height, _ = strconv.ParseFloat(box[3], 64)
				require.Positive(t, width*height)
			case "x", "x1", "x2", "cx", "width":
				within(t, e, a, width)
			case "y", "y1", "y2", "cy", "height":
				within(t, e, a, height)
			}
		}
	}
}

func within(t *testing.T, e xml.StartElement, a xml.Attr, limit float64) {
	t.Helper()
	v, err := strconv.ParseFloat(a.Value, 64)
	require.NoError(t, err, "%s %s", e.Name.Local, a.Name.Local)
	assert.True(t, v >= -0.05 && v <= limit+0.05, "%s %s=%v is not within 0 and %v", e.Name.Local, a.Name.Local, v, limit)
}

func TestDrawings(t *testing.T) {
	for _, test := range []struct {
		name string
		svg  template.HTML
		want map[string]int
	}{
		{"bars", chart.Bars(title, []string{"a", "b"}, []chart.Group{
			{Name: "one", Bars: []chart.Bar{{Value: 3, Text: "3 µs"}, {Series: 1, Value: 0, Text: "0"}}},
			{Name: "two", Bars: []chart.Bar{{Value: 1e6, Text: "1,000,000 µs"}}},
		}), map[string]int{"rect": 5, "text": 7, "title": 1, "desc": 1, "svg": 1}},
		{"bars of nothing", chart.Bars(title, nil, []chart.Group{{Name: "one", Bars: []chart.Bar{{Text: "0"}}}}),
			map[string]int{"rect": 1, "text": 2, "title": 1, "desc": 1, "svg": 1}},
		{"a legend of two lines", chart.Bars(title, []string{strings.Repeat("a", 30), strings.Repeat("b", 30)}, nil),
			map[string]int{"rect": 2, "text": 2, "title": 1, "desc": 1, "svg": 1}},
		{"lines", chart.Lines(title, chart.Axis{Name: "x", Low: 6}, chart.Axis{Name: "y"}, []chart.Line{
			{Name: "a", Points: []chart.Point{{X: 6, Y: 0}, {X: 12, Y: 100, Label: "12"}}},
			{Points: []chart.Point{{X: 7, Y: 50}}},
		}), map[string]int{"circle": 3, "path": 2, "line": 10, "rect": 1, "text": 14, "title": 1, "desc": 1, "svg": 1}},
		{"a line of one point", chart.Lines(title, chart.Axis{}, chart.Axis{}, []chart.Line{{Points: []chart.Point{{}}}}),
			map[string]int{"circle": 1, "path": 1, "line": 12, "text": 14, "title": 1, "desc": 1, "svg": 1}},
		{"strip", chart.Strip(title, []chart.StripRow{{Name: "one", Marks: []chart.Mark{{At: 0.999, Label: "1"}, {At: 0}, {At: 0.5, Label: "2", Faint: true}}}}),
			map[string]int{"rect": 4, "text": 4, "title": 1, "desc": 1, "svg": 1}},
		{"labels on a strip that would touch", chart.Strip(title, []chart.StripRow{{Marks: []chart.Mark{
			{At: 0.5, Label: "100"}, {At: 0.501, Label: "101"}, {At: 0.502, Label: "102"}}}}),
			map[string]int{"rect": 4, "text": 3, "title": 1, "desc": 1, "svg": 1}},
		{"time line", chart.Timeline(title, "µs", 100, []chart.Lane{{Name: "one", Spans: []chart.Span{{From: 0, To: 100}, {From: 20, To: 20.01, Series: 1}}}, {Name: "two"}}),
			map[string]int{"rect": 4, "line": 6, "text": 9, "title": 1, "desc": 1, "svg": 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, shapes(t, test.svg))
			assert.Contains(t, test.svg, "A &amp; B")
			assert.NotContains(t, test.svg, "<more>")
		})
	}
}

func TestLongerBarIsLonger(t *testing.T) {
	svg := string(chart.Bars(title, nil, []chart.Group{{Bars: []chart.Bar{{Value: 10, Text: "10"}, {Value: 5, Text: "5"}}}}))
	var widths []float64
	for _, part := range strings.Split(svg, "<rect ")[1:] {
		_, rest, _ := strings.Cut(part, `width="`)
		text, _, _ := strings.Cut(rest, `"`)
		v, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		widths = append(widths, v)
	}
	require.Len(t, widths, 2)
	assert.InDelta(t, 2, widths[0]/widths[1], 0.01)
}
