package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// report runs all experiments and writes a page about them.
type report struct {
	out, from, skip string
	quick           bool
	without         map[string]bool
}

func newReport() *report { return &report{} }

func (x *report) about() string {
	return "all experiments and one self-contained page with what they found (the default command)"
}

func (x *report) levers(f *flag.FlagSet) {
	f.StringVar(&x.out, "o", "lab-report.html", "`file` of the page")
	f.StringVar(&x.from, "from", "", "`file` with the JSON of an earlier report: make its page again, run nothing")
	f.BoolVar(&x.quick, "quick", false, "few turns and a small evening: for a look at the page, not at the times")
	f.StringVar(&x.skip, "skip", "", "experiments to leave out, separated by commas")
}

func (x *report) check() error {
	x.without = map[string]bool{}
	for name := range strings.SplitSeq(x.skip, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if name == "report" || find(name) == nil {
			return fmt.Errorf("-skip %s: there is no such experiment", name)
		}
		x.without[name] = true
	}
	return nil
}

// reportResult is the results of all experiments; those that were left out are nil.
type reportResult struct {
	At         time.Time      `json:"at"`
	Seed       uint64         `json:"seed"`
	Machine    string         `json:"machine"`
	Took       float64        `json:"took_s"`
	Walk       *walkResult    `json:"walk,omitempty"`
	Fanout     *fanoutResult  `json:"fanout,omitempty"`
	Large      *fanoutResult  `json:"fanout_large,omitempty"` // a batch of real size
	Hotspot    *hotspotResult `json:"hotspot,omitempty"`
	Write      *writeResult   `json:"write,omitempty"`
	Codec      *codecResult   `json:"codec,omitempty"`
	Resolution *dialResult    `json:"resolution,omitempty"`
	Tags       *tagsResult    `json:"tags,omitempty"`
	Peers      *peersResult   `json:"peers,omitempty"`
	NoPeers    string         `json:"no_peers,omitempty"` // why there is no comparison

	file string
}

func (x *report) run(ctx context.Context, l *lab) (result, error) {
	if x.from != "" {
		return x.again()
	}
	begin := time.Now()
	r := &reportResult{At: begin.UTC().Truncate(time.Second), Seed: l.seed, file: x.out,
		Machine: fmt.Sprintf("%s/%s, %s shared by client and servers, %s", runtime.GOOS, runtime.GOARCH, plural(runtime.NumCPU(), "core", "cores"), runtime.Version())}
	with := settings(x.quick)
	all := []struct {
		name string
		experiment
		put func(result)
	}{
		{"walk", with.walk, func(v result) { r.Walk = v.(*walkResult) }},
		{"fanout", with.fanout, func(v result) { r.Fanout = v.(*fanoutResult) }},
		{"fanout", with.large, func(v result) { r.Large = v.(*fanoutResult) }},
		{"hotspot", with.hotspot, func(v result) { r.Hotspot = v.(*hotspotResult) }},
		{"write", with.write, func(v result) { r.Write = v.(*writeResult) }},
		{"tags", with.tags, func(v result) { r.Tags = v.(*tagsResult) }},
		{"codec", with.codec, func(v result) { r.Codec = v.(*codecResult) }},
		{"resolution", with.dial, func(v result) { r.Resolution = v.(*dialResult) }},
		{"peers", with.peers, func(v result) { r.Peers = v.(*peersResult) }},
	}
	for _, e := range all {
		if x.without[e.name] {
			continue
		}
		v, err := e.run(ctx, l)
		var refused *refusal
		if e.name == "peers" && errors.As(err, &refused) { // the report is worth having without it
			r.NoPeers = oneLine(err)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		e.put(v)
	}
	r.Took = time.Since(begin).Seconds()
	return r, x.save(r)
}

// again reads the results of an earlier run.
func (x *report) again() (result, error) {
	b, err := os.ReadFile(x.from)
	if err != nil {
		return nil, &refusal{err}
	}
	r := &reportResult{file: x.out}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, refuse("%s: %w", x.from, err)
	}
	return r, x.save(r)
}

// save writes the page.
func (x *report) save(r *reportResult) error {
	f, err := os.Create(x.out)
	if err != nil {
		return err
	}
	return errors.Join(writePage(f, r), f.Close())
}

// results are the experiments that were run, in the order of the page.
func (r *reportResult) results() (all []result) {
	add := func(ran bool, v result) {
		if ran {
			all = append(all, v)
		}
	}
	add(r.Resolution != nil, r.Resolution)
	add(r.Walk != nil, r.Walk)
	add(r.Hotspot != nil, r.Hotspot)
	add(r.Fanout != nil, r.Fanout)
	add(r.Large != nil, r.Large)
	add(r.Write != nil, r.Write)
	add(r.Codec != nil, r.Codec)
	add(r.Tags != nil, r.Tags)
	add(r.Peers != nil, r.Peers)
	return all
}

func (r *reportResult) text(w io.Writer) {
	for _, v := range r.results() {
		s := v.section()
		fmt.Fprintf(w, "%s\n  %s\n  %s\n\n", s.Title, s.Conclusion[0], s.Conclusion[1])
	}
	fmt.Fprintf(w, "Claims of the mission\n")
	for _, c := range r.claims() {
		fmt.Fprintf(w, "  %d. %s\n", c.Number, c.Text)
		for _, e := range c.Evidence {
			fmt.Fprintf(w, "     %s: %s (%s)\n", e.Holds, e.Why, e.Section)
		}
	}
	fmt.Fprintf(w, "\nIn %s s. The page is in %s.\n", figures(r.Took), r.file)
}

// section is that of the whole, which has none.
func (r *reportResult) section() section { return section{} }
