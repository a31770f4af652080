package main

import "fmt"

// A claim is one of the mission's seven, with what the experiments say about it.
type claim struct {
	Number   int
	Text     string
	Evidence []evidence
}

type evidence struct {
	verdict
	Section, Title string // the id of the section on the page, and its title
}

var claimTexts = []string{
	"Raw coordinates never hit; snapped to H3 cells they do, and the resolution is a dial between hit rate and precision.",
	"A multi-key command reaches one slot only, and every untagged key lies in a slot of its own; only keys that share slots cure that.",
	"A tag that means something makes a hot spot; a tag without meaning, found by the walk, does not.",
	"Goroutines over chunks queue commands on the same command threads; grouped by slot first, a batch is one command per slot, all in flight at once.",
	"MSET has no expiry, and a crash before EXPIRE strands keys; one script per primary is atomic.",
	"JSON is not free; two numbers as CSV are parsed in place with no allocation.",
	"Measure: every lesson has a lever, on input of a realistic kind.",
}

// claims returns all seven with the evidence of the experiments that were run.
func (r *reportResult) claims() []claim {
	all := make([]claim, len(claimTexts))
	for i, text := range claimTexts {
		all[i] = claim{Number: i + 1, Text: text}
	}
	sections := r.sections()
	drawn, tried := 0, map[string]bool{}
	for _, s := range sections {
		drawn += len(s.Figures)
		tried[s.Name] = true
		for _, v := range s.Verdicts {
			c := &all[v.Claim-1]
			c.Evidence = append(c.Evidence, evidence{v, s.ID, s.Title})
		}
	}
	if len(sections) > 0 {
		last := &all[len(all)-1]
		last.Evidence = append(last.Evidence, evidence{verdict{7, yes,
			fmt.Sprintf("%s with %s on this page, each from a run of seed %d that took %s s in all", plural(len(tried), "experiment", "experiments"),
				plural(drawn, "figure", "figures"), r.Seed, figures(r.Took))}, sections[len(sections)-1].ID, sections[len(sections)-1].Title})
	}
	return all
}
