package topology

import "time"

// reprobeShards is how long CLUSTER SLOTS is asked only, after CLUSTER SHARDS proved to be of no use.
const reprobeShards = 10 * time.Minute

// shardsPolicy says whether CLUSTER SHARDS is worth sending. It holds for all nodes, since they mostly run the same
// version, and where they do not, SHARDS is the more dangerous to send
// (https://github.com/redis/redis/pull/12832). The Tracker's lock guards it.
type shardsPolicy struct{ off time.Time } // when it was last of no use

func (p shardsPolicy) worthTrying(now time.Time) bool {
	return p.off.IsZero() || now.Sub(p.off) >= reprobeShards
}

func (t *Tracker) shardsWorthTrying() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shards.worthTrying(time.Now())
}

func (t *Tracker) avoidShards(addr string, cause error) {
	t.mu.Lock()
	t.shards.off = time.Now()
	t.mu.Unlock()
	t.cfg.Logger.Info("topology: asking CLUSTER SLOTS instead of CLUSTER SHARDS for a while",
		"node", addr, "cause", cause, "for", reprobeShards)
}
