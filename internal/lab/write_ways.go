package main

import (
	"context"
	"strconv"
	"sync/atomic"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/routecache"
)

// writeBatch is the batch that all ways store.
type writeBatch struct {
	cluster   *cluster
	cache     *routecache.Cache
	pairs     []routecache.Pair
	estimates []routecache.Estimate
	items     *items
	groups    []group
	bytes     *byteCount
}

// A group is the items of one slot.
type group struct {
	node    *node
	indexes []int
}

var seconds = strconv.Itoa(int(ttl.Seconds()))

// ways are those that the servers know.
func (b *writeBatch) ways(m msetexState) []way {
	ways := []way{
		{name: "SET EX, a pipeline per primary", run: b.raw(b.setEX)},
		{name: "MSET, then EXPIRE per key", run: b.raw(b.msetExpire)},
		{name: "EVALSHA, by the library", run: func(ctx context.Context) error { return b.cache.Set(ctx, b.pairs, b.estimates, ttl) }},
	}
	if m == msetexSafe {
		ways = append(ways, way{name: "MSETEX", run: b.raw(b.msetex)})
	}
	return ways
}

// raw is a way that appends its commands for each group and drops the replies.
func (b *writeBatch) raw(add func(q *request, g group)) func(context.Context) error {
	return func(ctx context.Context) error {
		requests := b.cluster.requests()
		for _, g := range b.groups {
			add(&requests[g.node.index], g)
		}
		requests = byNode(requests)
		for _, q := range requests {
			b.bytes.out.Add(int64(len(q.out)))
		}
		return exchange(ctx, requests, func(_, _ int, r *resp.Reader) error {
			kind, err := r.Kind()
			if err != nil || kind != resp.KindError {
				if err == nil {
					err = r.Skip()
				}
				return err
			}
			text, err := r.ErrorText()
			if err != nil {
				return err
			}
			return resp.NewError(string(text))
		})
	}
}

func (b *writeBatch) setEX(q *request, g group) {
	for _, i := range g.indexes {
		q.add(1, func(dst []byte) []byte {
			dst = resp.AppendBulkString(resp.AppendArray(dst, 5), "SET")
			dst = b.items.AppendValue(b.items.AppendKey(dst, i), i)
			return resp.AppendBulkString(resp.AppendBulkString(dst, "EX"), seconds)
		})
	}
}

func (b *writeBatch) mset(q *request, g group) {
	q.add(1, func(dst []byte) []byte {
		return b.appendItems(resp.AppendBulkString(resp.AppendArray(dst, 1+2*len(g.indexes)), "MSET"), g)
	})
}

func (b *writeBatch) msetExpire(q *request, g group) {
	b.mset(q, g)
	for _, i := range g.indexes {
		q.add(1, func(dst []byte) []byte {
			dst = resp.AppendBulkString(resp.AppendArray(dst, 3), "EXPIRE")
			return resp.AppendBulkString(b.items.AppendKey(dst, i), seconds)
		})
	}
}

func (b *writeBatch) msetex(q *request, g group) {
	n := len(g.indexes)
	q.add(1, func(dst []byte) []byte {
		dst = resp.AppendBulkString(resp.AppendArray(dst, 4+2*n), "MSETEX")
		dst = b.appendItems(resp.AppendBulkInt(dst, int64(n)), g)
		return resp.AppendBulkString(resp.AppendBulkString(dst, "EX"), seconds)
	})
}

// crashScript does what the library's own script does; EVAL, so that the server need not know it.
const crashScript = `for i = 1, #KEYS do redis.call('SET', KEYS[i], ARGV[i + 1], 'EX', ARGV[1]) end`

func (b *writeBatch) eval(q *request, g group) {
	n := len(g.indexes)
	q.add(1, func(dst []byte) []byte {
		dst = resp.AppendBulkString(resp.AppendArray(dst, 4+2*n), "EVAL")
		dst = resp.AppendBulkInt(resp.AppendBulkString(dst, crashScript), int64(n))
		for _, i := range g.indexes {
			dst = b.items.AppendKey(dst, i)
		}
		dst = resp.AppendBulkString(dst, seconds)
		for _, i := range g.indexes {
			dst = b.items.AppendValue(dst, i)
		}
		return dst
	})
}

func (b *writeBatch) appendItems(dst []byte, g group) []byte {
	for _, i := range g.indexes {
		dst = b.items.AppendValue(b.items.AppendKey(dst, i), i)
	}
	return dst
}

// byteCount adds up what is sent. It is safe for concurrent use.
type byteCount struct{ out atomic.Int64 }

func (b *byteCount) trace() *batch.Trace {
	return &batch.Trace{NodeDone: func(n batch.NodeInfo) { b.out.Add(n.BytesOut) }}
}

// of is the number of bytes that a run sends.
func (b *byteCount) of(ctx context.Context, w way) (int, error) {
	b.out.Store(0)
	err := w.run(ctx)
	return int(b.out.Load()), err
}
