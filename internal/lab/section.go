package main

import "html/template"

// A section is what the report says about an experiment.
type section struct {
	Name       string    // of the experiment
	Title      string    // the lesson, as a line
	Args       string    // to repeat it: make lab ARGS="…"
	Question   string    // what is tried here
	Conclusion [2]string // two sentences, from the numbers of this run
	Figures    []picture
	Verdicts   []verdict
}

// A picture is a chart with its numbers.
type picture struct {
	ID      string
	Caption string
	SVG     template.HTML
	Table   table
}

// A verdict is what an experiment says about a claim of the mission.
type verdict struct {
	Claim int
	Holds holds
	Why   string // with the numbers
}

// holds says whether a claim was met by the measurement.
type holds string

const (
	yes    holds = "holds"
	partly holds = "holds in part"
	no     holds = "does not hold here"
)

// met is yes or no.
func met(ok bool) holds {
	if ok {
		return yes
	}
	return no
}
