package main

import (
	"context"

	"github.com/redis/rueidis"

	"github.com/slotcast/slotcast/routecache"
)

func (r *rueidisClient) set(ctx context.Context, _ []routecache.Answer) error {
	keys := r.q.keys()
	cmds := make([]rueidis.Completed, len(keys))
	for i, key := range keys {
		cmds[i] = r.client.B().Set().Key(key).Value(format(r.q.estimates[i])).ExSeconds(ttlSeconds).Build()
	}
	return firstError(r.client.DoMulti(ctx, cmds...))
}

func (r *rueidisClient) evalsha(ctx context.Context, _ []routecache.Answer) error {
	groups := r.q.groups()
	cmds := make([]rueidis.Completed, len(groups))
	for i, group := range groups {
		args := make([]string, 1, 1+len(group.keys))
		args[0] = ttlSecondsText
		for _, k := range group.index {
			args = append(args, format(r.q.estimates[k]))
		}
		cmds[i] = r.client.B().Evalsha().Sha1(peerScriptSHA).Numkeys(int64(len(group.keys))).Key(group.keys...).Arg(args...).Build()
	}
	return firstError(r.client.DoMulti(ctx, cmds...))
}

func firstError(results []rueidis.RedisResult) error {
	for i := range results {
		if err := results[i].Error(); err != nil {
			return err
		}
	}
	return nil
}
