package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/routecache"
)

// primary is a connection to one primary, beside those of the cache, for what the demo asks the servers themselves.
type primary struct {
	*conn.Conn
}

// dialPrimaries connects to the primaries that have anchors, in the order of the layout's shards.
func dialPrimaries(ctx context.Context, layout *routecache.Layout, cfg *conn.Config) ([]primary, error) {
	var all []primary
	for _, shard := range layout.Topology().Shards() {
		if len(shard.Slots) == 0 {
			continue
		}
		c, err := conn.Dial(ctx, shard.Primary.Addr, cfg)
		if err != nil {
			closeAll(all)
			return nil, err
		}
		all = append(all, primary{c})
	}
	return all, nil
}

func closeAll(all []primary) {
	for _, p := range all {
		p.Close()
	}
}

// counts are commands as a server counts them, refused ones included.
type counts struct {
	mget, evalsha int
	scripts       int // times the text of a script was sent: SCRIPT LOAD or EVAL
}

func (c counts) minus(o counts) counts {
	return counts{c.mget - o.mget, c.evalsha - o.evalsha, c.scripts - o.scripts}
}

// info returns the fields of a section of INFO.
func (p primary) info(ctx context.Context, section string) (map[string]string, error) {
	v, err := p.Do(ctx, "INFO", section)
	if err != nil {
		return nil, fmt.Errorf("%s: INFO %s: %w", p.Addr(), section, err)
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

// count reads the server's command counters.
func (p primary) count(ctx context.Context) (c counts, err error) {
	fields, err := p.info(ctx, "commandstats")
	if err != nil {
		return c, err
	}
	for name, n := range map[string]*int{
		"mget":        &c.mget,
		"evalsha":     &c.evalsha,
		"eval":        &c.scripts,
		"script|load": &c.scripts,
		"script":      &c.scripts, // before Redis 7
	} {
		text, ok := fields["cmdstat_"+name]
		if !ok {
			continue
		}
		calls, _, _ := strings.Cut(strings.TrimPrefix(text, "calls="), ",")
		number, err := strconv.Atoi(calls)
		if err != nil {
			return c, fmt.Errorf("%s: INFO commandstats: %s: %q", p.Addr(), name, text)
		}
		*n += number
	}
	return c, nil
}

// countAll is count at every primary.
func countAll(ctx context.Context, all []primary) ([]counts, error) {
	now := make([]counts, len(all))
	for i, p := range all {
		c, err := p.count(ctx)
		if err != nil {
			return nil, err
		}
		now[i] = c
	}
	return now, nil
}

// software returns what the server is, such as "redis 7.0.15".
func (p primary) software(ctx context.Context) (string, error) {
	fields, err := p.info(ctx, "server")
	if err != nil {
		return "", err
	}
	if version, ok := fields["valkey_version"]; ok {
		return "valkey " + version, nil
	}
	return "redis " + fields["redis_version"], nil
}

// ttlScript returns how many of the keys exist, and how many of those have no time to live.
const ttlScript = `local there, forever = 0, 0
for i = 1, #KEYS do
  local left = redis.call('PTTL', KEYS[i])
  if left ~= -2 then there = there + 1 end
  if left == -1 then forever = forever + 1 end
end
return {there, forever}`

// chunk is how many keys one command of the demo's own names.
const chunk = 500

// countKeys asks p about keys of one slot: how many exist, and how many of them have no time to live.
func (p primary) countKeys(ctx context.Context, keys []string) (there, forever int, err error) {
	err = p.eachChunk(ctx, keys, func(chunk []string) []string {
		return append([]string{"EVAL", ttlScript, strconv.Itoa(len(chunk))}, chunk...)
	}, func(v resp.Value) error {
		if len(v.Elems) != 2 {
			return fmt.Errorf("%s: EVAL: %d results, not 2", p.Addr(), len(v.Elems))
		}
		there += int(v.Elems[0].Int)
		forever += int(v.Elems[1].Int)
		return nil
	})
	return there, forever, err
}

// remove deletes keys of one slot and returns how many there were.
func (p primary) remove(ctx context.Context, keys []string) (n int, err error) {
	err = p.eachChunk(ctx, keys, func(chunk []string) []string {
		return append([]string{"UNLINK"}, chunk...)
	}, func(v resp.Value) error {
		n += int(v.Int)
		return nil
	})
	return n, err
}

func (p primary) eachChunk(ctx context.Context, keys []string, command func([]string) []string, reply func(resp.Value) error) error {
	for len(keys) > 0 {
		n := min(chunk, len(keys))
		args := command(keys[:n])
		v, err := p.Do(ctx, args...)
		if err == nil {
			err = reply(v)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", p.Addr(), args[0], err)
		}
		keys = keys[n:]
	}
	return nil
}
