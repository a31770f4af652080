package routecache

import (
	"context"
	"fmt"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/internal/spare"
)

// A Cache reads and writes route estimates in a Redis Cluster. It is safe for concurrent use.
type Cache struct {
	client     *batch.Client
	template   Template
	resolution int
	layouts    layouts
	counts     counters
	gets       *spare.List[get]
	sets       *spare.List[set]
}

// Config says which cluster to use and how pairs become keys. The zero value of every field but Addrs is useful. All
// processes that share a cache must have the same Template, Resolution, Tags and Fixed.
type Config struct {
	// Addrs are nodes of the cluster, as host:port. One that answers is enough.
	Addrs []string

	// Template is the text of the hash tags, with %d where the anchor goes. Default "routing:v1:%d".
	Template string

	// Resolution is that of the H3 cells, 1 to 15: finer cells make estimates more precise and hits rarer. It is a part of
	// the key, so two resolutions can share a cluster. Default 9, cells about 350 m across.
	Resolution int

	// Tags is how many hash tags, and so slots and commands per batch, each primary gets. Default 1.
	Tags int

	// Fixed, if above 0, seats the tags in that many equal ranges of slots instead of in the primaries. Keys then stay
	// what they are when the cluster grows, and a batch sends each of P primaries about Fixed·Tags/P commands. Default 0.
	Fixed int

	// Settle is how long the cluster's shape must have stayed the same before a new shape is walked. Default 10 s.
	Settle time.Duration

	// Overlap is how long, after a walk of a new shape, a pair that missed is looked up under its old anchor too; where
	// several walks follow each other, under those of the last four. It should be the time to live of the entries.
	// Default the longest that this Cache has set, an hour if it has set none.
	Overlap time.Duration

	// Batch configures the cluster client below. Its Addrs are ignored.
	Batch batch.Config
}

// Open connects to the cluster and walks it. The error is of the topology package when the cluster could not be read, and
// a *TemplateError, *ResolutionError, *SeatsError or *WalkError when the configuration does not fit.
func Open(ctx context.Context, cfg Config) (*Cache, error) {
	if cfg.Template == "" {
		cfg.Template = DefaultTemplate
	}
	template, err := ParseTemplate(cfg.Template)
	if err != nil {
		return nil, err
	}
	if cfg.Resolution == 0 {
		cfg.Resolution = 9
	}
	if err := checkResolution(cfg.Resolution); err != nil {
		return nil, err
	}
	if cfg.Tags == 0 {
		cfg.Tags = 1
	}
	if cfg.Settle <= 0 {
		cfg.Settle = 10 * time.Second
	}
	c := &Cache{template: template, resolution: cfg.Resolution}
	c.gets = spare.NewList(usualPairs, func() *get { return new(get) })
	c.sets = spare.NewList(usualPairs, func() *set { return new(set) })
	c.layouts.init(template, cfg, func() { c.counts.walks.Add(1) })

	config := cfg.Batch
	config.Addrs = cfg.Addrs
	config.Trace = c.layouts.watch(config.Trace)
	if c.client, err = batch.Open(ctx, config); err != nil {
		return nil, fmt.Errorf("routecache: %w", err)
	}
	if err := c.layouts.begin(c.client); err != nil {
		c.client.Close()
		return nil, err
	}
	return c, nil
}

// Close closes all connections. Calls under way fail.
func (c *Cache) Close() error {
	c.layouts.stop()
	return c.client.Close()
}

// Pair snaps two points to cells of the cache's resolution. The error is a *CoordError for a point that is not on the
// earth. A call costs about a microsecond: snap a point once, with Snap, where it is a part of many pairs.
func (c *Cache) Pair(origin, dest LatLng) (Pair, error) {
	from, err := Snap(origin, c.resolution)
	if err != nil {
		return Pair{}, err
	}
	to, err := Snap(dest, c.resolution)
	return Pair{from, to}, err
}

// Resolution is that of the cells of pairs.
func (c *Cache) Resolution() int { return c.resolution }

// Layout is how pairs become keys now.
func (c *Cache) Layout() *Layout { return c.layouts.now().layout }

// Client is the cluster client below, for its Topology and Stats. It belongs to the cache.
func (c *Cache) Client() *batch.Client { return c.client }
