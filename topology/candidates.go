package topology

import (
	"math/rand/v2"
	"time"
)

// candidate is an address to ask.
type candidate struct {
	addr   string
	member bool // the address of one node, as told by the cluster: counts as one voice
	seed   bool // as configured: may be a name that leads to a different node each time
}

// knownFirst is how many known nodes are asked before the seeds. When every address has changed, the known ones mostly
// do not refuse but time out, and a large cluster has hundreds.
const knownFirst = 15

// queue is the order in which nodes are asked in one refresh. No address is asked twice.
type queue struct {
	waiting []candidate
	queued  map[string]bool
}

// candidates returns whom to ask: the known nodes in random order, those under suspicion last, and the seeds; after more
// than knownFirst nodes the seeds come in between.
func (t *Tracker) candidates(m *Map) *queue {
	q := &queue{queued: make(map[string]bool)}
	known := t.knownNodes(m)
	seeds := make(map[string]bool)
	for _, s := range t.cfg.Seeds {
		seeds[s] = true
	}
	early := min(len(known), knownFirst)
	for _, addr := range known[:early] {
		q.add(candidate{addr: addr, member: true, seed: seeds[addr]})
	}
	for _, i := range rand.Perm(len(t.cfg.Seeds)) {
		q.add(candidate{addr: t.cfg.Seeds[i], seed: true})
	}
	for _, addr := range known[early:] {
		q.add(candidate{addr: addr, member: true, seed: seeds[addr]})
	}
	return q
}

func (t *Tracker) knownNodes(m *Map) []string {
	if m == nil {
		return nil
	}
	var healthy, suspected []string
	now := time.Now()
	t.mu.Lock()
	for n := range m.nodes() {
		if t.suspects.has(n.Addr, now) {
			suspected = append(suspected, n.Addr)
		} else {
			healthy = append(healthy, n.Addr)
		}
	}
	t.mu.Unlock()
	for _, s := range [][]string{healthy, suspected} {
		rand.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	}
	return append(healthy, suspected...)
}

func (q *queue) add(c candidate) {
	if !q.queued[c.addr] {
		q.queued[c.addr] = true
		q.waiting = append(q.waiting, c)
	}
}

// take removes up to n candidates from the front.
func (q *queue) take(n int) []candidate {
	n = min(n, len(q.waiting))
	taken := q.waiting[:n:n]
	q.waiting = q.waiting[n:]
	return taken
}
