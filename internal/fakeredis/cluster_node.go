package fakeredis

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
)

// Node is one server of a [Cluster]. Its methods are safe for concurrent use.
type Node struct {
	*Server // nil in a cluster made by NewCluster
	cluster *Cluster
	index   int
	addr    string
	port    int
	left    bool // guarded by the cluster's lock

	mu      sync.Mutex
	down    bool
	dials   int
	hook    Hook
	log     []string
	data    map[string]string
	scripts map[string]bool
}

// Hook answers a command in place of the node, or reports false to let the node do it.
type Hook func(p *Peer, cmd []string) (reply []byte, answered bool)

// Addr is the address to dial.
func (n *Node) Addr() string { return n.addr }

// Down makes the node of a cluster made by NewCluster refuse connections, or accept them again.
func (n *Node) Down(down bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.down = down
}

// Dials is the number of connections to a node of a cluster made by NewCluster.
func (n *Node) Dials() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.dials
}

func (n *Node) accept() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dials++
	return !n.down
}

// On has all commands but those of the handshake pass through h first; nil removes it.
func (n *Node) On(h Hook) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hook = h
}

// Log returns the commands received since it was called last, without those of the handshake and the topology. Of a script
// the keys are shown, not its text, its hash and its arguments.
func (n *Node) Log() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	log := n.log
	n.log = nil
	return log
}

// Put stores a key without looking whose it is.
func (n *Node) Put(key, value string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.data[key] = value
}

// Value returns what is stored under a key.
func (n *Node) Value(key string) (value string, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	value, ok = n.data[key]
	return value, ok
}

// FlushScripts forgets all scripts.
func (n *Node) FlushScripts() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.scripts)
}

func (n *Node) serve(p *Peer, cmd []string) []byte {
	name := strings.ToUpper(cmd[0])
	n.mu.Lock()
	hook := n.hook
	if name != "CLUSTER" {
		n.log = append(n.log, loggable(name, cmd))
	}
	n.mu.Unlock()
	if name != "ASKING" {
		defer func() { p.Data = nil }()
	}
	if hook != nil {
		if reply, answered := hook(p, cmd); answered {
			return reply
		}
	}
	return n.Answer(p, cmd)
}

// Answer executes a command and returns the reply: what a hook may spoil.
func (n *Node) Answer(p *Peer, cmd []string) []byte {
	name := strings.ToUpper(cmd[0])
	switch name {
	case "CLUSTER":
		return n.cluster.view(cmd)
	case "ASKING":
		p.Data = asking{}
		return []byte("+OK\r\n")
	case "SCRIPT":
		n.mu.Lock()
		defer n.mu.Unlock()
		return resp.AppendBulkString(nil, n.load(cmd[2]))
	case "GET", "MGET", "SET", "EVAL", "EVALSHA":
		if refusal := n.refusal(keysOf(name, cmd), p.Data == asking{}); refusal != "" {
			return resp.AppendError(nil, refusal)
		}
		return n.execute(name, cmd)
	}
	return resp.AppendError(nil, fmt.Sprintf("ERR unknown command '%s'", cmd[0]))
}

// asking is the Data of a connection whose last command was ASKING.
type asking struct{}

func loggable(name string, cmd []string) string {
	switch name {
	case "EVAL", "EVALSHA":
		return strings.Join(append([]string{name}, keysOf(name, cmd)...), " ")
	case "SCRIPT":
		return "SCRIPT LOAD"
	}
	return strings.Join(append([]string{name}, cmd[1:]...), " ")
}

func keysOf(name string, cmd []string) []string {
	switch name {
	case "MGET":
		return cmd[1:]
	case "EVAL", "EVALSHA":
		n, _ := strconv.Atoi(cmd[2])
		return cmd[3 : 3+n]
	}
	return cmd[1:2]
}

// refusal is why the node does not execute a command with these keys, or empty. It follows getNodeByQuery in the
// server's cluster.c.
func (n *Node) refusal(keys []string, asked bool) string {
	slot := crc16.Slot(keys[0])
	missing, distinct := 0, 0
	n.mu.Lock()
	for i, key := range keys {
		if crc16.Slot(key) != slot {
			n.mu.Unlock()
			return "CROSSSLOT Keys in request don't hash to the same slot"
		}
		if i == 0 || key != keys[0] {
			distinct++
		}
		if _, ok := n.data[key]; !ok {
			missing++
		}
	}
	n.mu.Unlock()

	c := n.cluster
	c.mu.Lock()
	defer c.mu.Unlock()
	to, moving := c.moving[slot]
	switch owner := c.owner[slot]; {
	case owner == nobody:
		return "CLUSTERDOWN Hash slot not served"
	case owner == n.index && moving && missing == len(keys):
		return fmt.Sprintf("ASK %d %s", slot, c.nodes[to].Addr())
	case (owner == n.index || asked) && moving && missing > 0 && distinct > 1:
		return "TRYAGAIN Multiple keys request during rehashing of slot"
	case owner != n.index && !(moving && to == n.index && asked):
		return fmt.Sprintf("MOVED %d %s", slot, c.nodes[owner].Addr())
	}
	return ""
}

func (n *Node) execute(name string, cmd []string) []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	keys := keysOf(name, cmd)
	switch name {
	case "GET":
		return n.appendValue(nil, cmd[1])
	case "MGET":
		out := resp.AppendArray(nil, len(keys))
		for _, key := range keys {
			out = n.appendValue(out, key)
		}
		return out
	case "SET":
		n.data[cmd[1]] = cmd[2]
		return []byte("+OK\r\n")
	}
	if name == "EVAL" {
		n.load(cmd[1])
	} else if !n.scripts[strings.ToLower(cmd[1])] {
		return []byte("-NOSCRIPT No matching script. Please use EVAL.\r\n")
	}
	for i, key := range keys { // it is taken to be KEYS… ttl values…
		n.data[key] = cmd[3+len(keys)+1+i]
	}
	return resp.AppendInt(nil, int64(len(keys)))
}

func (n *Node) appendValue(dst []byte, key string) []byte {
	if value, ok := n.data[key]; ok {
		return resp.AppendBulkString(dst, value)
	}
	return resp.AppendNull(dst)
}

// load knows a script from now on. The lock is held.
func (n *Node) load(script string) (sha string) {
	sum := sha1.Sum([]byte(script))
	sha = hex.EncodeToString(sum[:])
	n.scripts[sha] = true
	return sha
}
