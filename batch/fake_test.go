package batch_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

// openFake opens a client of a scripted cluster. It asks for the topology when it has a reason only.
func openFake(t testing.TB, fake *fakeredis.Cluster, cfg batch.Config) *batch.Client {
	t.Helper()
	cfg.Addrs, cfg.RefreshPeriod = fake.Addrs(), -1
	if fake.Node(0).Server == nil && cfg.Conn.Dial == nil {
		cfg.Conn.Dial = fake.Dial
	}
	return open(t, cfg)
}

// errorFor is a hook that answers the commands of the given name, in capitals, with an error, so often; negative is for
// ever.
func errorFor(name, line string, times int) fakeredis.Hook {
	return replyFor(name, string(resp.AppendError(nil, line)), times)
}

// replyFor is errorFor with any reply.
func replyFor(name, reply string, times int) fakeredis.Hook {
	var mu sync.Mutex
	return func(_ *fakeredis.Peer, cmd []string) ([]byte, bool) {
		mu.Lock()
		defer mu.Unlock()
		if strings.ToUpper(cmd[0]) != name || times == 0 {
			return nil, false
		}
		times--
		return []byte(reply), true
	}
}

// put stores "v-" and the key under each key on a node.
func put(n *fakeredis.Node, k keys) {
	for i, v := range values(k) {
		n.Put(k[i], v)
	}
}

// logs are the commands that each node has received since it was asked last.
func logs(fake *fakeredis.Cluster) [][]string {
	var out [][]string
	for _, n := range fake.Nodes() {
		out = append(out, n.Log())
	}
	return out
}

// trips counts round trips: how often a node was done with what a batch had asked of it.
type trips struct {
	mu    sync.Mutex
	nodes []batch.NodeInfo
}

func (r *trips) trace() *batch.Trace {
	return &batch.Trace{NodeDone: func(info batch.NodeInfo) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.nodes = append(r.nodes, info)
	}}
}

// take returns what was seen since it was called last.
func (r *trips) take() []batch.NodeInfo {
	r.mu.Lock()
	defer r.mu.Unlock()
	nodes := r.nodes
	r.nodes = nil
	return nodes
}
