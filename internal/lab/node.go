package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/topology"
)

// A node is a primary with slots: a connection for what the lab asks the server itself, and a pool for experiments.
type node struct {
	*conn.Conn // for one goroutine
	index      int
	addr       string
	shard      topology.Shard
	pool       *conn.Pool // safe for concurrent use
}

func dialNode(ctx context.Context, index int, shard topology.Shard, cfg *conn.Config) (*node, error) {
	addr := shard.Primary.Addr
	c, err := conn.Dial(ctx, addr, cfg)
	if err != nil {
		return nil, err
	}
	return &node{Conn: c, index: index, addr: addr, shard: shard, pool: conn.NewPool(addr, cfg)}, nil
}

func (n *node) close() error {
	n.pool.Close()
	return n.Conn.Close()
}

// info returns the fields of a section of INFO.
func (n *node) info(ctx context.Context, section string) (map[string]string, error) {
	v, err := n.Do(ctx, "INFO", section)
	if err != nil {
		return nil, fmt.Errorf("%s: INFO %s: %w", n.addr, section, err)
	}
	text, _ := v.AsText()
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[name] = value
		}
	}
	return fields, nil
}

// software returns what the server is, such as "redis 7.0.15".
func (n *node) software(ctx context.Context) (string, error) {
	fields, err := n.info(ctx, "server")
	if err != nil {
		return "", err
	}
	if version, ok := fields["valkey_version"]; ok {
		return "valkey " + version, nil
	}
	return "redis " + fields["redis_version"], nil
}

// load is what a server has done so far.
type load struct {
	commands map[string]int // by name, refused ones included
	cpu      time.Duration  // of the process, user and system
}

// load asks the server. Asking is a command too, and costs some 100 µs.
func (n *node) load(ctx context.Context) (l load, err error) {
	stats, err := n.info(ctx, "commandstats")
	if err != nil {
		return l, err
	}
	l.commands = map[string]int{}
	for field, text := range stats {
		name, ok := strings.CutPrefix(field, "cmdstat_")
		if !ok {
			continue
		}
		for part := range strings.SplitSeq(text, ",") {
			if key, value, _ := strings.Cut(part, "="); key == "calls" || key == "rejected_calls" {
				number, err := strconv.Atoi(value)
				if err != nil {
					return l, fmt.Errorf("%s: INFO commandstats: %s:%s", n.addr, field, text)
				}
				l.commands[name] += number
			}
		}
	}
	cpu, err := n.info(ctx, "cpu")
	if err != nil {
		return l, err
	}
	for _, field := range []string{"used_cpu_user", "used_cpu_sys"} {
		seconds, err := strconv.ParseFloat(cpu[field], 64)
		if err != nil {
			return l, fmt.Errorf("%s: INFO cpu: %s:%s", n.addr, field, cpu[field])
		}
		l.cpu += time.Duration(seconds * float64(time.Second))
	}
	return l, nil
}

// since is what was done after an earlier time, but for the asking.
func (l load) since(before load) load {
	d := load{commands: map[string]int{}, cpu: l.cpu - before.cpu}
	for name, n := range l.commands {
		if n -= before.commands[name]; n != 0 && name != "info" {
			d.commands[name] = n
		}
	}
	return d
}

// dataCommands are those that experiments count.
var dataCommands = []string{"get", "mget", "set", "setex", "mset", "expire", "eval", "evalsha", "msetex", "script|load"}

// total is the number of data commands. What a script calls is not the client's: with a script, SET does not count.
func (l load) total() (n int) {
	for _, name := range dataCommands {
		if name == "set" && l.commands["eval"]+l.commands["evalsha"] > 0 {
			continue
		}
		n += l.commands[name]
	}
	return n
}

// loads asks all primaries.
func (c *cluster) loads(ctx context.Context) ([]load, error) {
	all := make([]load, len(c.nodes))
	for i, n := range c.nodes {
		var err error
		if all[i], err = n.load(ctx); err != nil {
			return nil, err
		}
	}
	return all, nil
}
