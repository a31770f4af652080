package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/slotcast/slotcast/internal/lab/chart"
)

func (r *writeResult) text(w io.Writer) {
	fmt.Fprintf(w, "Writing %s with a time to live, %s per primary; %s; MSETEX is %s.\n\n", plural(r.Keys, "key", "keys"), plural(r.Tags, "tag", "tags"), r.Cluster, r.MSETEX)
	r.table().print(w)
	fmt.Fprintf(w, "\nCommands as the servers count them; times and bytes are per batch. A client that dies while it writes to one primary:\n\n")
	r.crashTable().print(w)
}

func (r *writeResult) table() table {
	t := table{Head: []string{"way", "commands", "of which", "bytes out", "wall µs", "client CPU µs", "server CPU µs"}}
	for _, w := range r.Ways {
		t.row(w.Name, count(w.total()), kinds(w.Kinds), count(w.BytesOut), figures(w.Wall), figures(w.ClientCPU), figures(w.server()))
	}
	return t
}

// kinds lists commands by name.
func kinds(of map[string]int) string {
	var parts []string
	for _, name := range dataCommands {
		if n := of[name]; n > 0 && (name != "set" || of["evalsha"]+of["eval"] == 0) {
			parts = append(parts, fmt.Sprintf("%s %s", count(n), strings.ToUpper(name)))
		}
	}
	return strings.Join(parts, " + ")
}

func (r *writeResult) crashTable() table {
	t := table{Head: []string{"way", "it dies when", "keys", "stored", "for ever"}}
	for _, c := range r.Crashes {
		t.row(c.Way, c.When, count(c.Keys), count(c.There), count(c.Stranded))
	}
	return t
}

// way returns the cost of a way by the beginning of its name; nil if it was not measured.
func (r *writeResult) way(prefix string) *cost {
	i := slices.IndexFunc(r.Ways, func(c cost) bool { return strings.HasPrefix(c.Name, prefix) })
	if i < 0 {
		return nil
	}
	return &r.Ways[i]
}

// stranded is what the crash of a way left for ever.
func (r *writeResult) stranded(prefix string) int {
	for _, c := range r.Crashes {
		if strings.HasPrefix(c.Way, prefix) {
			return c.Stranded
		}
	}
	return 0
}

func (r *writeResult) section() section {
	set, script := r.way("SET EX"), r.way("EVALSHA")
	s := section{
		Name:     "write",
		Title:    "Writing: an estimate must expire",
		Args:     fmt.Sprintf("write -keys %d -tags %d", r.Keys, r.Tags),
		Question: fmt.Sprintf("The same %s are stored in each way; then a client is killed in the middle of each.", plural(r.Keys, "estimate", "estimates")),
		Conclusion: [2]string{
			fmt.Sprintf("A crash between MSET and EXPIRE stranded %s of %s keys for ever, one in the middle of SET EX %s, one around the script %s.",
				count(r.stranded("MSET")), count(r.Crashes[1].Keys), count(r.stranded("SET")), count(r.stranded("a script"))),
			fmt.Sprintf("EVALSHA took %s instead of the %s of SET EX and %s of its bytes, but was %s: %s µs against %s%s.",
				plural(script.total(), "command", "commands"), count(set.total()), percent(float64(script.BytesOut)/float64(set.BytesOut)),
				faster(script.Wall, set.Wall), figures(script.Wall), figures(set.Wall), alsoMSETEX(r)),
		},
		Figures: []picture{r.costs(), r.crashPicture()},
	}
	if script.Wall < set.Wall {
		s.Conclusion[1] = strings.Replace(s.Conclusion[1], ", but was", ", and was", 1)
	}
	s.Verdicts = []verdict{r.verdict()}
	return s
}

// verdict is that on claim 5. The script has to strand nothing and take fewer commands; that it is the fastest way is not
// claimed, but expected by whoever reads it.
func (r *writeResult) verdict() verdict {
	set, mset, script := r.way("SET EX"), r.way("MSET,"), r.way("EVALSHA")
	fastest := slices.MinFunc(r.Ways, func(a, b cost) int { return cmp.Compare(a.Wall, b.Wall) })
	why := fmt.Sprintf("a crash stranded %s keys of MSET and EXPIRE and %s of the script, which is %s instead of %s of SET EX",
		count(r.stranded("MSET")), orNone(noZero(r.stranded("a script"))), plural(script.total(), "command", "commands"), count(set.total()))
	walls := fmt.Sprintf("EVALSHA took %s µs, SET EX %s, MSET and EXPIRE %s%s", figures(script.Wall), figures(set.Wall), figures(mset.Wall), alsoMSETEX(r))
	claim := met(r.stranded("MSET") > 0 && r.stranded("a script") == 0 && script.total() < set.total())
	if claim == yes && fastest.Name != script.Name {
		return verdict{5, partly, fmt.Sprintf("%s; but the fastest way was %s: %s", why, strings.SplitN(fastest.Name, ",", 2)[0], walls)}
	}
	return verdict{5, claim, why + "; " + walls}
}

// noZero is empty for 0.
func noZero(n int) string {
	if n == 0 {
		return ""
	}
	return count(n)
}

// faster says in words how a time compares with another.
func faster(a, b float64) string {
	switch r := a / b; {
	case r < 0.97:
		return fmt.Sprintf("%s %% faster", figures((1-r)*100))
	case r > 1.03:
		return fmt.Sprintf("%s %% slower", figures((r-1)*100))
	default:
		return "about as fast"
	}
}

func alsoMSETEX(r *writeResult) string {
	if m := r.way("MSETEX"); m != nil {
		return fmt.Sprintf(", and MSETEX %s µs", figures(m.Wall))
	}
	return fmt.Sprintf(" (MSETEX is %s)", r.MSETEX)
}

func (r *writeResult) costs() picture {
	var groups []chart.Group
	for _, w := range r.Ways {
		groups = append(groups, chart.Group{Name: fmt.Sprintf("%s: %s", w.Name, plural(w.total(), "command", "commands")), Bars: []chart.Bar{
			{Series: 0, Value: w.Wall, Text: figures(w.Wall)},
			{Series: 1, Value: w.server(), Text: figures(w.server())},
			{Series: 2, Value: w.ClientCPU, Text: figures(w.ClientCPU)},
		}})
	}
	return picture{
		ID:      "write-costs",
		Caption: fmt.Sprintf("Microseconds for a batch of %s.", plural(r.Keys, "key", "keys")),
		SVG:     chart.Bars(chart.Title{ID: "write-costs", Text: "Time and CPU of each way of writing"}, []string{"wall time", "CPU of all servers", "CPU of the client"}, groups),
		Table:   r.table(),
	}
}

func (r *writeResult) crashPicture() picture {
	var groups []chart.Group
	for _, c := range r.Crashes {
		groups = append(groups, chart.Group{Name: c.Way, Bars: []chart.Bar{
			{Series: 0, Value: float64(c.There - c.Stranded), Text: count(c.There-c.Stranded) + " will expire"},
			{Series: 1, Value: float64(c.Stranded), Text: count(c.Stranded) + " stay for ever"},
		}})
	}
	return picture{
		ID:      "write-crash",
		Caption: "Keys that a client leaves which is killed (SIGKILL) while it writes to one primary.",
		SVG:     chart.Bars(chart.Title{ID: "write-crash", Text: "Keys left by a crash, with and without a time to live"}, []string{"with a time to live", "stranded"}, groups),
		Table:   r.crashTable(),
	}
}
