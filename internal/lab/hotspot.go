package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/routecache"
)

// hotspot asks one dispatch pass at dinner time with tags that mean something, and with anchors.
type hotspot struct {
	origins                                  string
	coarseness                               []int
	at                                       time.Duration
	couriers, tags, primaries, rounds, group int
	radius, reach                            float64
}

func newHotspot() *hotspot { return &hotspot{} }

func (x *hotspot) about() string {
	return "tags by the origin's cell against anchors, downtown at dinner time"
}

func (x *hotspot) levers(f *flag.FlagSet) {
	f.StringVar(&x.origins, "origin", "9,8,7,6", "H3 resolutions of the origin's cell in the tag, 1 to 9; coarser cells make fewer slots")
	f.DurationVar(&x.at, "at", 19*time.Hour+15*time.Minute, "time of day, 17h to 23h")
	f.IntVar(&x.couriers, "couriers", 1000, "couriers on duty, 100 to 20000")
	f.Float64Var(&x.radius, "radius", 6000, "radius of the city in metres, 1000 to 50000")
	f.Float64Var(&x.reach, "reach", 3000, "metres within which a courier comes into question, 100 to 50000")
	f.IntVar(&x.tags, "tags", 1, "anchors per primary, 1 to 64")
	f.IntVar(&x.primaries, "primaries", defaultPrimaries, "primaries of a throwaway cluster, 1 to 12")
	f.IntVar(&x.rounds, "rounds", 6, "turns of each kind of tag, 1 to 1000")
	f.IntVar(&x.group, "group", 10, "batches of a turn, 1 to 10000")
}

func (x *hotspot) check() (err error) {
	if x.coarseness, err = numbers("origin", x.origins, 1, resolution); err != nil {
		return err
	}
	if x.at < 17*time.Hour || x.at >= 23*time.Hour {
		return fmt.Errorf("-at %v is not within 17h and 23h", x.at)
	}
	return firstError(within("couriers", x.couriers, 100, 20_000), within("radius", int(x.radius), 1000, 50_000),
		within("reach", int(x.reach), 100, 50_000), within("tags", x.tags, 1, 64), within("primaries", x.primaries, 1, 12),
		within("rounds", x.rounds, 1, 1000), within("group", x.group, 1, 10_000))
}

// numbers reads a list of numbers.
func numbers(name, text string, low, high int) (all []int, err error) {
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("-%s %q is not a list of numbers", name, text)
		}
		if err := within(name, n, low, high); err != nil {
			return nil, err
		}
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all, nil
}

// hotspotResult is what was measured. Shares are of 1.
type hotspotResult struct {
	Cluster  string       `json:"cluster"`
	At       string       `json:"at"`
	Couriers int          `json:"couriers"`
	Trips    int          `json:"trips"` // that the dispatcher asks for in one pass
	Keys     int          `json:"keys"`  // distinct pairs of cells among them
	Tags     []hotspotTag `json:"tags"`
}

// hotspotTag is one kind of tag.
type hotspotTag struct {
	cost
	Origin  int   `json:"origin_resolution"` // of the tag; 0 = anchors
	Keys    []int `json:"keys"`              // by primary
	Slots   int   `json:"slots"`             // that have keys
	TopSlot int   `json:"top_slot_keys"`     // of the fullest slot
}

// share is that of the fullest primary in the keys.
func (t *hotspotTag) share() float64 { return topShare(t.Keys) }

func (x *hotspot) run(ctx context.Context, l *lab) (result, error) {
	c, err := l.cluster(ctx, x.primaries)
	if err != nil {
		return nil, err
	}
	defer c.clean(ctx) // again in the end, where its error counts
	l.say("hotspot: the evening up to %s", clock(x.at))
	pairs, estimates, trips, err := x.pass(c.seed)
	if err != nil {
		return nil, err
	}
	layout, err := routecache.NewLayout(c.topology, c.template, resolution, x.tags, 0)
	if err != nil {
		return nil, &refusal{err}
	}
	r := &hotspotResult{Cluster: c.String(), At: clock(x.at), Couriers: x.couriers, Trips: trips, Keys: len(pairs)}
	var ways []way
	for _, origin := range append([]int{0}, x.coarseness...) {
		keys, name := tagged(layout, pairs), "anchors"
		if origin > 0 {
			keys, name = c.taggedByOrigin(pairs, origin), fmt.Sprintf("origin’s cell at resolution %d", origin)
		}
		s, err := newItems(keys, estimates)
		if err != nil {
			return nil, err
		}
		if err := c.write(ctx, s); err != nil {
			return nil, err
		}
		r.Tags = append(r.Tags, c.spread(origin, s))
		ways = append(ways, way{name: name, run: func(ctx context.Context) error { return c.read(ctx, s) }})
	}
	l.say("hotspot: %s with %s", plural(len(pairs), "key", "keys"), plural(len(ways), "kind of tag", "kinds of tags"))
	costs, err := c.turns(ctx, ways, x.rounds, x.group)
	if err != nil {
		return nil, err
	}
	for i := range costs {
		r.Tags[i].cost = costs[i]
	}
	return r, nil
}

// pass lets the evening go by until x.at and returns what the dispatcher asks then.
func (x *hotspot) pass(seed uint64) (pairs []routecache.Pair, estimates []routecache.Estimate, trips int, err error) {
	evening, err := workload.New(workload.Config{Seed: seed, Couriers: x.couriers, OrdersPerHour: 1.2 * float64(x.couriers), Radius: x.radius, Reach: x.reach})
	if err != nil {
		return nil, nil, 0, err
	}
	for evening.Next() && evening.At() < x.at {
	}
	snapper, engine := workload.NewSnapper(resolution), evening.Engine()
	seen := map[routecache.Pair]bool{}
	asked := evening.AppendTrips(nil)
	for _, trip := range asked {
		pair, err := snapper.Pair(trip)
		if err != nil {
			return nil, nil, 0, err
		}
		if !seen[pair] {
			seen[pair] = true
			pairs = append(pairs, pair)
			estimates = append(estimates, engine.Estimate(trip.Origin, trip.Dest, evening.At()))
		}
	}
	if len(pairs) == 0 {
		return nil, nil, 0, fmt.Errorf("nobody asks anything at %s", clock(x.at))
	}
	return pairs, estimates, len(asked), nil
}

// taggedByOrigin returns the keys that pairs have if the tag is the cell around the origin.
func (c *cluster) taggedByOrigin(pairs []routecache.Pair, coarse int) []string {
	keys := make([]string, len(pairs))
	for i, p := range pairs {
		keys[i] = fmt.Sprintf("%s:{%v}%v:%v:%d", c.prefix, parent(p.Origin, coarse), p.Origin, p.Dest, resolution)
	}
	return keys
}

// parent is the cell at a coarser resolution that cell descends from: of the index, the bits of the resolution and, in three
// bits each, the digits below it change, which are all ones where there is no digit (https://h3geo.org/docs/core-library/h3Indexing).
func parent(cell routecache.Cell, coarse int) routecache.Cell {
	v := uint64(cell)&^(0xF<<52) | uint64(coarse)<<52
	for digit := coarse + 1; digit <= routecache.MaxResolution; digit++ {
		v |= 7 << (3 * (routecache.MaxResolution - digit))
	}
	return routecache.Cell(v)
}

// spread counts the keys by primary and by slot.
func (c *cluster) spread(origin int, s *items) hotspotTag {
	t := hotspotTag{Origin: origin, Keys: make([]int, len(c.nodes))}
	bySlot := map[uint16]int{}
	for i := range s.keys {
		slot := crc16.Slot(s.keys[i])
		t.Keys[c.nodeAt(slot).index]++
		bySlot[slot]++
		t.TopSlot = max(t.TopSlot, bySlot[slot])
	}
	t.Slots = len(bySlot)
	return t
}
