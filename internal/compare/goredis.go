package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/slotcast/slotcast/routecache"
)

// newGoRedis opens go-redis. Its buffers are as large as those of rueidis by default, so that a pipeline is one write;
// RESP2 spares it the search for push messages in front of each reply; maintenance notifications are a matter of services.
// RESP3, other buffers, a pool of its own for pipelines and no routing policies were tried too: no difference that could be
// told from noise.
func newGoRedis(addrs []string, m *meter) *redis.ClusterClient {
	return redis.NewClusterClient(&redis.ClusterOptions{
		Addrs:           addrs,
		Dialer:          m.DialContext,
		Protocol:        2,
		PoolSize:        32,
		ReadTimeout:     patience,
		WriteTimeout:    patience,
		ReadBufferSize:  512 << 10,
		WriteBufferSize: 512 << 10,
		MaintNotificationsConfig: &maintnotifications.Config{
			Mode: maintnotifications.ModeDisabled,
		},
	})
}

func goRedisContenders(client *redis.ClusterClient, m *meter, get, set *question) []*contender {
	of := func(name string, set, tagged bool, b batchFunc) *contender {
		return &contender{client: "go-redis", name: name, set: set, tagged: tagged, meter: m, worker: plain(b)}
	}
	g := &goRedis{client, get}
	s := &goRedis{client, set}
	return []*contender{
		of("pipeline of GET", false, false, g.get),
		of("pipeline of MGET", false, true, g.mget),
		of("pipeline of SET EX", true, false, s.set),
		of("pipeline of EVALSHA", true, true, s.evalsha),
	}
}

type goRedis struct {
	client *redis.ClusterClient
	q      *question
}

func (g *goRedis) get(ctx context.Context, out []routecache.Answer) error {
	keys := g.q.keys()
	pipe := g.client.Pipeline()
	cmds := make([]*redis.StringCmd, len(keys))
	for i, key := range keys {
		cmds[i] = pipe.Get(ctx, key)
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	for i, cmd := range cmds {
		value, err := cmd.Result()
		if err == redis.Nil {
			out[i] = routecache.Answer{State: routecache.Miss}
			continue
		}
		if err != nil {
			return err
		}
		if out[i], err = parse(value); err != nil {
			return err
		}
	}
	return nil
}

func (g *goRedis) mget(ctx context.Context, out []routecache.Answer) error {
	groups := g.q.groups()
	pipe := g.client.Pipeline()
	cmds := make([]*redis.SliceCmd, len(groups))
	for i, group := range groups {
		cmds[i] = pipe.MGet(ctx, group.keys...)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	for i, cmd := range cmds {
		values := cmd.Val()
		if len(values) != len(groups[i].keys) {
			return fmt.Errorf("%d values for %d keys", len(values), len(groups[i].keys))
		}
		for j, value := range values {
			answer := &out[groups[i].index[j]]
			text, ok := value.(string)
			if !ok {
				*answer = routecache.Answer{State: routecache.Miss}
				continue
			}
			var err error
			if *answer, err = parse(text); err != nil {
				return err
			}
		}
	}
	return nil
}
