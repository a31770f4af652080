package redistest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"
)

// slotCount is the number of hash slots of a cluster.
const slotCount = 16384

// Config describes a cluster. The zero value is three primaries without replicas.
type Config struct {
	// Primaries is the number of shards; default 3.
	Primaries int
	// Replicas is their number per primary; default 0.
	Replicas int
	// Binary is the server's executable; default: see Binary. A wrapper script has to exec the server.
	Binary string
	// NodeTimeout is cluster-node-timeout, after which a silent node counts as failed; default 2 s. A failover takes about
	// twice as long.
	NodeTimeout time.Duration
	// Password, when set, is required of the default user.
	Password string
	// SlotEnds gives the first slot after those of each primary, the last being 16384; default equal shares, rounded as
	// redis-cli --cluster create does.
	SlotEnds []int
	// Config holds further lines of redis.conf for every node; they win over the package's own.
	Config []string
}

func (cfg Config) withDefaults() Config {
	if cfg.Primaries == 0 {
		cfg.Primaries = 3
	}
	if cfg.NodeTimeout == 0 {
		cfg.NodeTimeout = 2 * time.Second
	}
	if cfg.SlotEnds == nil {
		share := float64(slotCount) / float64(cfg.Primaries)
		for i := range cfg.Primaries {
			cfg.SlotEnds = append(cfg.SlotEnds, int(math.Round(share*float64(i+1))))
		}
	}
	return cfg
}

func (cfg Config) validate() error {
	ends := cfg.SlotEnds
	switch {
	case cfg.Primaries < 1 || cfg.Replicas < 0:
		return fmt.Errorf("redistest: %d primaries with %d replicas each", cfg.Primaries, cfg.Replicas)
	case len(ends) != cfg.Primaries || ends[len(ends)-1] != slotCount || ends[0] < 1 || !slices.IsSorted(ends):
		return fmt.Errorf("redistest: slot ends %v do not cover all slots with %d primaries", ends, cfg.Primaries)
	}
	return nil
}

// Cluster is a running cluster. Its methods may be called at once.
type Cluster struct {
	cfg   Config
	guard *guard

	mu    sync.Mutex
	nodes []*Node
}

// Node is one server of a cluster.
type Node struct {
	*Server
	// ID is the node id, 40 hexadecimal digits. It stays the same over a restart.
	ID string
}

// Launch starts a cluster and waits until every node agrees that all slots are served and all replicas are in step. That
// takes between two and three seconds, two of which are the servers' own delay (CLUSTER_WRITABLE_DELAY in cluster.c). The
// cluster runs until Close, or until this process ends. ctx bounds the start only.
func Launch(ctx context.Context, cfg Config) (*Cluster, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	binary, err := lookPath(cfg.Binary)
	if err != nil {
		return nil, err
	}
	cfg.Binary = binary
	g, err := newGuard()
	if err != nil {
		return nil, err
	}
	c := &Cluster{cfg: cfg, guard: g}
	if err := c.form(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close kills all servers, removes the folder, and returns when both are gone.
func (c *Cluster) Close() error {
	for _, n := range c.Nodes() {
		n.close()
	}
	return c.guard.close()
}

// Nodes returns all nodes: the primaries of the start in the order of their slots, then the replicas of the first primary,
// of the second and so on, then the nodes added later. The order does not follow failovers.
func (c *Cluster) Nodes() []*Node {
	c.mu.Lock()
	defer c.mu.Unlock()
	return compact(c.nodes)
}

// Node returns the node at index i of Nodes.
func (c *Cluster) Node(i int) *Node { return c.Nodes()[i] }

// Addrs returns the addresses of all nodes, in the order of Nodes.
func (c *Cluster) Addrs() []string {
	var addrs []string
	for _, n := range c.Nodes() {
		addrs = append(addrs, n.Addr)
	}
	return addrs
}

// Dir returns the temporary folder, which has a folder with configuration and log for each node.
func (c *Cluster) Dir() string { return c.guard.dir }

// live returns the nodes that run and are not frozen.
func (c *Cluster) live() []*Node {
	return slices.DeleteFunc(c.Nodes(), func(n *Node) bool { return !n.Live() })
}

// startNode starts a server that is in no cluster yet and makes it node i, so that it will be closed.
func (c *Cluster) startNode(ctx context.Context, i int) (*Node, error) {
	s, err := newServer(ctx, c.guard, "node-"+strconv.Itoa(i), ServerConfig{
		Binary:   c.cfg.Binary,
		Password: c.cfg.Password,
		Config: append([]string{
			"cluster-enabled yes",
			"cluster-config-file nodes.conf",
			"cluster-node-timeout " + strconv.FormatInt(c.cfg.NodeTimeout.Milliseconds(), 10),
			// Replicas stay where the test has put them.
			"cluster-allow-replica-migration no",
		}, c.cfg.Config...),
	})
	if err != nil {
		return nil, err
	}
	id, err := s.client.do(ctx, "CLUSTER", "MYID")
	if err != nil {
		s.close()
		return nil, err
	}
	n := &Node{Server: s, ID: id.Text}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.nodes[i] = n
	return n, nil
}

// each calls f for all nodes at once and joins their errors.
func each(nodes []*Node, f func(i int, n *Node) error) error {
	errs := make([]error, len(nodes))
	var wg sync.WaitGroup
	for i, n := range nodes {
		wg.Go(func() { errs[i] = f(i, n) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// FlushAll removes all keys from all live primaries.
func (c *Cluster) FlushAll() error {
	return each(c.live(), func(_ int, n *Node) error {
		role, err := n.Do("ROLE")
		if err != nil || len(role.Elems) == 0 || role.Elems[0].Text != "master" {
			return err
		}
		_, err = n.Do("FLUSHALL")
		return err
	})
}

// ResetStats sets the command statistics of all live nodes to zero.
func (c *Cluster) ResetStats() error {
	return each(c.live(), func(_ int, n *Node) error { return n.ResetStats() })
}
