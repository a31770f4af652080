package main

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"time"

	"github.com/slotcast/slotcast/routecache"
)

// peerScript is the script a user of a peer would write: store ARGV[i+1] under KEYS[i] for ARGV[1] seconds.
const peerScript = `for i = 1, #KEYS do redis.call('SET', KEYS[i], ARGV[i + 1], 'EX', ARGV[1]) end return #KEYS`

var peerScriptSHA = func() string {
	sum := sha1.Sum([]byte(peerScript))
	return hex.EncodeToString(sum[:])
}()

func (g *goRedis) set(ctx context.Context, _ []routecache.Answer) error {
	pipe := g.client.Pipeline()
	for i, key := range g.q.keys() {
		pipe.Set(ctx, key, format(g.q.estimates[i]), ttlSeconds*time.Second)
	}
	_, err := pipe.Exec(ctx)
	return err
}

func (g *goRedis) evalsha(ctx context.Context, _ []routecache.Answer) error {
	pipe := g.client.Pipeline()
	for _, group := range g.q.groups() {
		args := make([]any, 1, 1+len(group.keys))
		args[0] = ttlSeconds
		for _, i := range group.index {
			args = append(args, format(g.q.estimates[i]))
		}
		pipe.EvalSha(ctx, peerScriptSHA, group.keys, args...)
	}
	_, err := pipe.Exec(ctx)
	return err
}
