package routecache

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/topology"
)

// layouts holds the layout that is in force and, for a while after the cluster's shape has changed, those before it.
//
// A failover changes no shape. A resharding changes it slot by slot, for minutes: the cache walks again only when the
// shape has stayed the same for the time settle. Until then the old anchors go on; their keys move with their slots.
type layouts struct {
	template        Template
	resolution      int
	seats, fixed    int
	settle, overlap time.Duration
	walked          func() // counts

	current atomic.Pointer[layoutState]
	longest atomic.Int64 // the longest TTL that was set, in nanoseconds

	mu      sync.Mutex
	client  *batch.Client // nil before begin and after stop
	settled *time.Timer   // runs while the shape differs from that of the layout
}

// layoutState is a layout and those before it whose entries may still live, the newest first.
type layoutState struct {
	layout *Layout
	former []formerLayout
}

type formerLayout struct {
	*Layout
	until time.Time // when the last entry under it has expired
}

// maxFormer is how many former layouts are looked under: each costs what misses one more round trip.
const maxFormer = 4

// alive reports whether entries under the layout may still live.
func (f *formerLayout) alive() bool { return time.Now().Before(f.until) }

// followed is the state after layout has replaced s's, whose last entry expires at until.
func (s *layoutState) followed(layout *Layout, until time.Time) *layoutState {
	next := &layoutState{layout: layout}
	for _, f := range append([]formerLayout{{s.layout, until}}, s.former...) {
		seen := f.sameAnchors(layout) || slices.ContainsFunc(next.former, func(newer formerLayout) bool { return f.sameAnchors(newer.Layout) })
		if f.alive() && !seen && len(next.former) < maxFormer {
			next.former = append(next.former, f)
		}
	}
	return next
}

func (l *layouts) init(t Template, cfg Config, walked func()) {
	l.template, l.resolution, l.seats, l.fixed = t, cfg.Resolution, cfg.Tags, cfg.Fixed
	l.settle, l.overlap, l.walked = cfg.Settle, cfg.Overlap, walked
}

func (l *layouts) now() *layoutState { return l.current.Load() }

// begin walks for the first time.
func (l *layouts) begin(client *batch.Client) error {
	layout, err := NewLayout(client.Topology(), l.template, l.resolution, l.seats, l.fixed)
	if err != nil {
		return err
	}
	l.current.Store(&layoutState{layout: layout})
	l.mu.Lock()
	l.client = client
	l.mu.Unlock()
	l.changed(layout.shards, client.Topology()) // what came in between
	return nil
}

func (l *layouts) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.client = nil
	if l.settled != nil {
		l.settled.Stop()
	}
}

// lives notes that an entry with this time to live is about to be stored.
func (l *layouts) lives(ttl time.Duration) {
	for {
		longest := l.longest.Load()
		if int64(ttl) <= longest || l.longest.CompareAndSwap(longest, int64(ttl)) {
			return
		}
	}
}

// watch adds the layouts to those who are told of a new topology.
func (l *layouts) watch(t *batch.Trace) *batch.Trace {
	var watched batch.Trace
	if t != nil {
		watched = *t
	}
	user := watched.TopologyChanged
	watched.TopologyChanged = func(old, new *topology.Map) {
		l.changed(old, new)
		if user != nil {
			user(old, new)
		}
	}
	return &watched
}

// changed starts the time to settle again if the shape has changed, and calls the walk off if it is back as it was.
func (l *layouts) changed(old, new *topology.Map) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client == nil || l.fixed > 0 {
		return
	}
	if new.SameShape(l.now().layout.shards) {
		if l.settled != nil {
			l.settled.Stop()
			l.settled = nil
		}
		return
	}
	if l.settled != nil && new.SameShape(old) {
		return
	}
	if l.settled != nil {
		l.settled.Stop()
	}
	l.settled = time.AfterFunc(l.settle, l.again)
}

// again walks the settled shape.
func (l *layouts) again() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client == nil {
		return
	}
	m, now := l.client.Topology(), l.now()
	if m.SameShape(now.layout.shards) {
		return
	}
	layout, err := NewLayout(m, l.template, l.resolution, l.seats, l.fixed)
	if err != nil || m.Covered() < now.layout.shards.Covered() {
		l.settled = time.AfterFunc(l.settle, l.again) // a shape to pass through, not one to stay
		return
	}
	l.settled = nil
	l.walked()
	l.current.Store(now.followed(layout, time.Now().Add(l.outlive())))
}

// outlive is how long entries under the old anchors may still live.
func (l *layouts) outlive() time.Duration {
	if l.overlap > 0 {
		return l.overlap
	}
	if longest := time.Duration(l.longest.Load()); longest > 0 {
		return longest
	}
	return time.Hour // this process only reads: a guess
}
