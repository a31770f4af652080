package main

import (
	"encoding/json"
	"io"
	"time"
)

// A result is a contender's line of a cell.
type result struct {
	Client string `json:"client"`
	Name   string `json:"name"`
	Op     string `json:"op"` // get or set
	Tagged bool   `json:"tagged"`
	figures
}

func (r *runner) result() result {
	op := "get"
	if r.set {
		op = "set"
	}
	return result{r.client, r.name, op, r.tagged, r.tally.figures(r.scene.cell.Primaries)}
}

func (r *result) peer() bool { return r.Client != "limit" && r.Client != "slotcast" }

func (r *result) label() string {
	if r.Tagged || r.Op == "" {
		return r.Client + ": " + r.Name
	}
	return r.Client + ": " + r.Name + ", no tags"
}

// results are those of one cell.
type results []result

// of returns the result of this library, or of the limit, for an operation; nil if it did not take part.
func (rs results) of(client, op string) *result {
	for i := range rs {
		if rs[i].Client == client && rs[i].Op == op {
			return &rs[i]
		}
	}
	return nil
}

// best is the peer with the smallest number among those of the operation that are admitted; nil if there is none.
func (rs results) best(op string, admit func(*result) bool, number func(*result) float64) *result {
	var best *result
	for i := range rs {
		r := &rs[i]
		if r.peer() && r.Op == op && admit(r) && (best == nil || number(r) < number(best)) {
			best = r
		}
	}
	return best
}

// Numbers to be best in.
func p50(r *result) float64       { return r.P50 }
func p99(r *result) float64       { return r.P99 }
func clientCPU(r *result) float64 { return r.ClientCPU }
func pause(r *result) float64     { return 1 / r.Rate }

// Peers to be compared with.
func anyPeer(*result) bool       { return true }
func withTags(r *result) bool    { return r.Tagged }
func withoutTags(r *result) bool { return !r.Tagged }

// line is what goes into the file of results: each can be understood alone.
type line struct {
	Date time.Time `json:"date"`
	machine
	cell
	result
}

func writeJSON(w io.Writer, at time.Time, m machine, c cell, rs results) error {
	enc := json.NewEncoder(w)
	for _, r := range rs {
		if err := enc.Encode(line{at, m, c, r}); err != nil {
			return err
		}
	}
	return nil
}
