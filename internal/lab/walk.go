package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/slotcast/slotcast/routecache"
	"github.com/slotcast/slotcast/topology"
)

// walk finds tags by brute force, for a number of equal primaries or for a live cluster.
type walk struct {
	primaries, tags int
	text            string
	template        routecache.Template
}

func newWalk() *walk { return &walk{} }

func (x *walk) about() string {
	return "the walk that finds the tags, step by step; with -primaries no server is needed"
}

func (x *walk) levers(f *flag.FlagSet) {
	f.IntVar(&x.primaries, "primaries", 0, "equal primaries to walk, 1 to 1000; default: a live cluster")
	f.IntVar(&x.tags, "tags", 4, "tags per primary, 1 to 1000")
	f.StringVar(&x.text, "template", routecache.DefaultTemplate, "text of the tags, with %d for the integer")
}

func (x *walk) check() (err error) {
	if x.template, err = routecache.ParseTemplate(x.text); err != nil {
		return err
	}
	if err := within("tags", x.tags, 1, 1000); err != nil {
		return err
	}
	if x.primaries == 0 {
		return nil
	}
	return within("primaries", x.primaries, 1, 1000)
}

func (x *walk) run(ctx context.Context, l *lab) (result, error) {
	if x.primaries > 0 {
		anchors, err := routecache.WalkFixed(x.primaries, x.template, x.tags)
		if err != nil {
			return nil, &refusal{err}
		}
		return x.result(anchors, equalRanges(x.primaries)), nil
	}
	c, err := l.cluster(ctx, defaultPrimaries)
	if err != nil {
		return nil, err
	}
	anchors, err := routecache.Walk(c.topology, x.template, x.tags)
	if err != nil {
		return nil, &refusal{err}
	}
	var primaries []walkPrimary
	for _, shard := range c.topology.Shards() {
		primaries = append(primaries, walkPrimary{shard.Primary.Addr, shard.Slots})
	}
	return x.result(anchors, primaries), nil
}

const defaultPrimaries = 3

// equalRanges are those of routecache.WalkFixed.
func equalRanges(n int) (all []walkPrimary) {
	start := func(i int) uint16 { return uint16((16384*i + n - 1) / n) }
	for i := range n {
		all = append(all, walkPrimary{fmt.Sprint("primary ", i), []topology.Range{{Start: start(i), End: start(i + 1)}}})
	}
	return all
}

// walkResult is a walk with all its steps.
type walkResult struct {
	Template  string        `json:"template"`
	Tags      int           `json:"tags"`
	Primaries []walkPrimary `json:"primaries"`
	Steps     []walkStep    `json:"steps"`
	Sum       walkSum       `json:"walk"`
}

// walkSum is the result for scripts.
type walkSum struct {
	Tried      int   `json:"tried"`
	Skipped    int   `json:"skipped"`
	Anchors    []int `json:"anchors"`
	PerPrimary []int `json:"per_primary"`
}

type walkPrimary struct {
	Name  string           `json:"name"`
	Slots []topology.Range `json:"slots"` // half-open
}

// holds reports whether the primary owns the slot.
func (p walkPrimary) owns(slot uint16) bool {
	return slices.ContainsFunc(p.Slots, func(r topology.Range) bool { return r.Start <= slot && slot < r.End })
}

func (p walkPrimary) size() (n int) {
	for _, r := range p.Slots {
		n += int(r.End) - int(r.Start)
	}
	return n
}

// span writes the slots as redis-cli does, both ends included.
func (p walkPrimary) span() string {
	if len(p.Slots) != 1 {
		return fmt.Sprintf("%s slots in %d ranges", count(p.size()), len(p.Slots))
	}
	return fmt.Sprintf("%d–%d", p.Slots[0].Start, int(p.Slots[0].End)-1)
}

// walkStep is one integer tried.
type walkStep struct {
	N       int    `json:"n"`
	Slot    uint16 `json:"slot"`
	Primary int    `json:"primary"`
	Kept    bool   `json:"kept"`
}

func (x *walk) result(anchors *routecache.Anchors, primaries []walkPrimary) *walkResult {
	kept := anchors.Integers()
	r := &walkResult{
		Template: x.template.String(), Tags: x.tags, Primaries: primaries,
		Sum: walkSum{anchors.Tried, anchors.Skipped, kept, anchors.Seats},
	}
	for n := range anchors.Tried {
		slot := x.template.Slot(n)
		owner := slices.IndexFunc(primaries, func(p walkPrimary) bool { return p.owns(slot) })
		r.Steps = append(r.Steps, walkStep{n, slot, owner, slices.Contains(kept, n)})
	}
	return r
}

func (r *walkResult) short() any { return r.Sum }

// integers lists the n of the steps at a primary that were kept, or skipped.
func (r *walkResult) integers(primary int, kept bool) string {
	var all []string
	for _, s := range r.Steps {
		if s.Primary == primary && s.Kept == kept {
			all = append(all, fmt.Sprint(s.N))
		}
	}
	if more := len(all) - 12; more > 1 {
		all = append(all[:12], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, " ")
}
