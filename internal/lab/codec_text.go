package main

import (
	"fmt"
	"io"

	"github.com/slotcast/slotcast/internal/lab/chart"
)

func (r *codecResult) text(w io.Writer) {
	fmt.Fprintf(w, "Codecs: %s, per value.\n\n", plural(r.Values, "estimate", "estimates"))
	r.table().print(w)
}

func (r *codecResult) table() table {
	t := table{Head: []string{"codec", "example", "bytes", "encode ns", "decode ns", "encode allocs", "decode allocs"}}
	for _, k := range r.Codecs {
		t.row(k.Name, k.Example, figures(k.Bytes), figures(k.EncodeNS), figures(k.DecodeNS), figures(k.EncodeAllocs), figures(k.DecodeAllocs))
	}
	return t
}

func (r *codecResult) section() section {
	csv, object := r.Codecs[0], r.Codecs[1]
	return section{
		Name:     "codec",
		Title:    "JSON is not free",
		Args:     "codec",
		Question: fmt.Sprintf("%s are encoded and decoded as the library does it and with encoding/json.", plural(r.Values, "estimate", "estimates")),
		Conclusion: [2]string{
			fmt.Sprintf("A value is %s bytes as CSV and %s as a JSON object, on average.", figures(csv.Bytes), figures(object.Bytes)),
			fmt.Sprintf("To decode it takes %s ns and %s against %s ns and %s, to encode it %s ns against %s ns.",
				figures(csv.DecodeNS), allocations(csv.DecodeAllocs), figures(object.DecodeNS), allocations(object.DecodeAllocs), figures(csv.EncodeNS), figures(object.EncodeNS)),
		},
		Figures: []picture{{
			ID:      "codec-cost",
			Caption: "CPU time per value in nanoseconds.",
			SVG: chart.Bars(chart.Title{ID: "codec-cost", Text: "CPU time to encode and decode a value, by codec"}, []string{"encode", "decode"}, r.groups(func(k codecCost) []chart.Bar {
				return []chart.Bar{{Series: 0, Value: k.EncodeNS, Text: figures(k.EncodeNS) + " ns"}, {Series: 1, Value: k.DecodeNS, Text: figures(k.DecodeNS) + " ns"}}
			})),
			Table: r.table(),
		}, {
			ID:      "codec-bytes",
			Caption: "Bytes per value, and allocations to decode it.",
			SVG: chart.Bars(chart.Title{ID: "codec-bytes", Text: "Bytes of a value, by codec"}, nil, r.groups(func(k codecCost) []chart.Bar {
				return []chart.Bar{{Series: 0, Value: k.Bytes, Text: fmt.Sprintf("%s bytes, %s", figures(k.Bytes), allocations(k.DecodeAllocs))}}
			})),
			Table: r.table(),
		}},
		Verdicts: []verdict{{6, met(csv.DecodeAllocs == 0 && csv.DecodeNS < object.DecodeNS && csv.Bytes < object.Bytes),
			fmt.Sprintf("CSV is parsed in %s ns with %s, JSON in %s ns with %s", figures(csv.DecodeNS), allocations(csv.DecodeAllocs), figures(object.DecodeNS), allocations(object.DecodeAllocs))}},
	}
}

func (r *codecResult) groups(bars func(codecCost) []chart.Bar) (all []chart.Group) {
	for _, k := range r.Codecs {
		all = append(all, chart.Group{Name: fmt.Sprintf("%s: %s", k.Name, k.Example), Bars: bars(k)})
	}
	return all
}

func allocations(n float64) string {
	switch n {
	case 0:
		return "no allocation"
	case 1:
		return "1 allocation"
	}
	return figures(n) + " allocations"
}
