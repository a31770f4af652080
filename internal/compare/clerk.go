package main

import (
	"context"
	"fmt"

	"github.com/redis/rueidis"

	"github.com/slotcast/slotcast/routecache"
)

// A clerk fills the cluster and looks after what was stored, one command per key, so that no contender is checked by
// means of itself alone.
type clerk struct{ client rueidis.Client }

// perRound bounds the commands of one pipeline.
const perRound = 10_000

// each runs a command for every index below n that make makes one for, and gives the replies to use.
func (c clerk) each(ctx context.Context, n int, make func(i int) (rueidis.Completed, bool), use func(i int, r rueidis.RedisResult) error) error {
	for from := 0; from < n; from += perRound {
		var cmds []rueidis.Completed
		var index []int
		for i := from; i < min(from+perRound, n); i++ {
			if cmd, ok := make(i); ok {
				cmds, index = append(cmds, cmd), append(index, i)
			}
		}
		for k, r := range c.client.DoMulti(ctx, cmds...) {
			if err := use(index[k], r); err != nil {
				return err
			}
		}
	}
	return nil
}

// names are both keys of each pair: with a tag and without.
func (q *question) names() [2][]string {
	tagged := make([]string, len(q.pairs))
	for _, g := range q.readyGroups {
		for j, i := range g.index {
			tagged[i] = g.keys[j]
		}
	}
	return [2][]string{tagged, q.readyKeys}
}

// fill stores the hits of a question under both their keys.
func (c clerk) fill(ctx context.Context, q *question) error {
	for _, keys := range q.names() {
		err := c.each(ctx, len(keys), func(i int) (rueidis.Completed, bool) {
			if q.want[i].State != routecache.Hit {
				return rueidis.Completed{}, false
			}
			return c.client.B().Set().Key(keys[i]).Value(format(q.estimates[i])).ExSeconds(ttlSeconds).Build(), true
		}, func(_ int, r rueidis.RedisResult) error { return r.Error() })
		if err != nil {
			return err
		}
	}
	return nil
}

// wipe removes all keys of a question.
func (c clerk) wipe(ctx context.Context, q *question) error {
	for _, keys := range q.names() {
		err := c.each(ctx, len(keys), func(i int) (rueidis.Completed, bool) {
			return c.client.B().Unlink().Key(keys[i]).Build(), true
		}, func(_ int, r rueidis.RedisResult) error { return r.Error() })
		if err != nil {
			return err
		}
	}
	return nil
}

// stored checks that the estimates of a question are stored, under the one kind of key, and will expire.
func (c clerk) stored(ctx context.Context, q *question, tagged bool) error {
	keys := q.names()[1]
	if tagged {
		keys = q.names()[0]
	}
	err := c.each(ctx, len(keys), func(i int) (rueidis.Completed, bool) {
		return c.client.B().Get().Key(keys[i]).Build(), true
	}, func(i int, r rueidis.RedisResult) error {
		value, err := r.ToString()
		if err == nil && value != format(q.estimates[i]) {
			err = fmt.Errorf("it is %q, want %q", value, format(q.estimates[i]))
		}
		if err != nil {
			return fmt.Errorf("value of %s: %w", keys[i], err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.each(ctx, len(keys), func(i int) (rueidis.Completed, bool) {
		return c.client.B().Ttl().Key(keys[i]).Build(), true
	}, func(i int, r rueidis.RedisResult) error {
		ttl, err := r.AsInt64()
		if err == nil && (ttl <= 0 || ttl > ttlSeconds) {
			err = fmt.Errorf("it is %d s, want %d s", ttl, ttlSeconds)
		}
		if err != nil {
			return fmt.Errorf("time to live of %s: %w", keys[i], err)
		}
		return nil
	})
}
