package main

import (
	"context"
	"errors"
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
	groups    [][]group // by primary
	bytes     *byteCount
}

var seconds = strconv.Itoa(int(ttl.Seconds()))

// ways are those that the servers know.
func (b *writeBatch) ways(m msetexState) []way {
	ways := []way{
		{name: "SET EX, a pipeline per primary", run: b.raw(setEX)},
		{name: "MSET, then EXPIRE per key", run: b.raw(msetExpire)},
		{name: "EVALSHA, by the library", run: func(ctx context.Context) error { return b.cache.Set(ctx, b.pairs, b.estimates, ttl) }},
	}
	if m == msetexSafe {
		ways = append(ways, way{name: "MSETEX", run: b.raw(msetex)})
	}
	return ways
}

// A writer appends the commands that store the items of a group, and says how many replies they have.
type writer struct {
	replies func(g group) int
	append  func(b *writeBatch, dst []byte, g group) []byte
}

func one(group) int       { return 1 }
func perKey(g group) int  { return len(g.indexes) }
func onePlus(g group) int { return 1 + len(g.indexes) }

var (
	setEX      = writer{perKey, (*writeBatch).appendSetEX}
	mset       = writer{one, (*writeBatch).appendMset}
	msetExpire = writer{onePlus, (*writeBatch).appendMsetExpire}
	msetex     = writer{one, (*writeBatch).appendMsetex}
	eval       = writer{one, (*writeBatch).appendEval}
)

// request is what stores the groups of one primary.
func (b *writeBatch) request(w writer, groups ...group) request {
	q := request{node: groups[0].node}
	for _, g := range groups {
		q.replies += w.replies(g)
	}
	q.write = func(dst []byte) []byte {
		before := len(dst)
		for _, g := range groups {
			dst = w.append(b, dst, g)
		}
		b.bytes.out.Add(int64(len(dst) - before))
		return dst
	}
	return q
}

// raw is a way that stores with w and drops the replies.
func (b *writeBatch) raw(w writer) func(context.Context) error {
	return func(ctx context.Context) error {
		var requests []request
		for _, groups := range b.groups {
			if len(groups) > 0 {
				requests = append(requests, b.request(w, groups...))
			}
		}
		return exchange(ctx, requests, func(_, _ int, r *resp.Reader) error {
			if kind, err := r.Kind(); err != nil || kind != resp.KindError {
				return errors.Join(err, r.Skip())
			}
			text, err := r.ErrorText()
			if err != nil {
				return err
			}
			return resp.NewError(string(text))
		})
	}
}

func (b *writeBatch) appendSetEX(dst []byte, g group) []byte {
	for _, i := range g.indexes {
		dst = resp.AppendBulkString(resp.AppendArray(dst, 5), "SET")
		dst = b.items.AppendValue(b.items.AppendKey(dst, i), i)
		dst = resp.AppendBulkString(resp.AppendBulkString(dst, "EX"), seconds)
	}
	return dst
}

func (b *writeBatch) appendMset(dst []byte, g group) []byte {
	dst = resp.AppendBulkString(resp.AppendArray(dst, 1+2*len(g.indexes)), "MSET")
	return b.appendItems(dst, g)
}

func (b *writeBatch) appendMsetExpire(dst []byte, g group) []byte {
	dst = b.appendMset(dst, g)
	for _, i := range g.indexes {
		dst = resp.AppendBulkString(resp.AppendArray(dst, 3), "EXPIRE")
		dst = resp.AppendBulkString(b.items.AppendKey(dst, i), seconds)
	}
	return dst
}

func (b *writeBatch) appendMsetex(dst []byte, g group) []byte {
	n := len(g.indexes)
	dst = resp.AppendBulkString(resp.AppendArray(dst, 4+2*n), "MSETEX")
	dst = b.appendItems(resp.AppendBulkInt(dst, int64(n)), g)
	return resp.AppendBulkString(resp.AppendBulkString(dst, "EX"), seconds)
}

// crashScript does what the library's own script does; EVAL, so that the server need not know it.
const crashScript = `for i = 1, #KEYS do redis.call('SET', KEYS[i], ARGV[i + 1], 'EX', ARGV[1]) end`

func (b *writeBatch) appendEval(dst []byte, g group) []byte {
	n := len(g.indexes)
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
