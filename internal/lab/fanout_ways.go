package main

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/routecache"
)

// fanoutBatch is the batch that the four ways ask for. Every way checks each answer.
type fanoutBatch struct {
	cluster  *cluster
	cache    *routecache.Cache
	pairs    []routecache.Pair
	out      []routecache.Answer
	untagged *items
	tagged   *items
	chunk    int
	workers  int
	spans    *recorder
}

// gets is a GET per key.
func (b *fanoutBatch) gets(ctx context.Context) error {
	var requests []request
	asked := make([][]int, len(b.cluster.nodes)) // by request
	for i, groups := range b.cluster.groupAll(b.untagged) {
		var keys []int
		for _, g := range groups {
			keys = append(keys, g.indexes...)
		}
		if len(keys) == 0 {
			continue
		}
		asked[len(requests)] = keys
		requests = append(requests, request{b.cluster.nodes[i], len(keys), func(dst []byte) []byte {
			for _, i := range keys {
				dst = b.untagged.AppendKey(resp.AppendBulkString(resp.AppendArray(dst, 2), "GET"), i)
			}
			return dst
		}})
	}
	wrong, begin := 0, b.spans.now()
	err := exchange(ctx, requests, func(q, i int, r *resp.Reader) error {
		v, err := r.Bulk()
		if !b.untagged.right(asked[q][i], v) {
			wrong++
		}
		b.spans.add(requests[q].node.index, begin)
		return err
	})
	return errors.Join(err, verdictOn(wrong))
}

// perSlot is an MGET per slot.
func (b *fanoutBatch) perSlot(ctx context.Context) error {
	return b.mgets(ctx, b.untagged, 0, b.untagged.Len())
}

// together is an MGET per slot of the tagged keys: what chunked does, without the chunks.
func (b *fanoutBatch) together(ctx context.Context) error {
	return b.mgets(ctx, b.tagged, 0, b.tagged.Len())
}

// chunked cuts the tagged keys in chunks and has goroutines ask for them, an MGET per slot of a chunk.
func (b *fanoutBatch) chunked(ctx context.Context) error {
	n := b.tagged.Len()
	chunks := (n + b.chunk - 1) / b.chunk
	var next atomic.Int64
	errs := make([]error, min(b.workers, chunks))
	var wg sync.WaitGroup
	for w := range errs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= chunks {
					return
				}
				errs[w] = b.mgets(ctx, b.tagged, i*b.chunk, min((i+1)*b.chunk, n))
			}
		}()
	}
	wg.Wait()
	return errors.Join(errs...)
}

// mgets asks for the items from one index up to another with an MGET per slot, all of one primary in one write. It is safe for
// concurrent use.
func (b *fanoutBatch) mgets(ctx context.Context, s *items, from, to int) error {
	begin := b.spans.now()
	var requests []request
	asked := make([][]group, 0, len(b.cluster.nodes)) // by request
	for i, groups := range b.cluster.groups(s, from, to) {
		if len(groups) == 0 {
			continue
		}
		asked = append(asked, groups)
		requests = append(requests, request{b.cluster.nodes[i], len(groups), func(dst []byte) []byte {
			for _, g := range groups {
				dst = resp.AppendBulkString(resp.AppendArray(dst, 1+len(g.indexes)), "MGET")
				for _, i := range g.indexes {
					dst = s.AppendKey(dst, i)
				}
			}
			return dst
		}})
	}
	wrong := 0
	err := exchange(ctx, requests, func(q, i int, r *resp.Reader) error {
		if _, err := r.Array(); err != nil {
			return err
		}
		for _, i := range asked[q][i].indexes {
			v, err := r.Bulk()
			if err != nil {
				return err
			}
			if !s.right(i, v) {
				wrong++
			}
		}
		b.spans.add(requests[q].node.index, begin)
		return nil
	})
	return errors.Join(err, verdictOn(wrong))
}

// grouped is what the cache does.
func (b *fanoutBatch) grouped(ctx context.Context) error {
	if err := b.cache.Get(ctx, b.pairs, b.out); err != nil {
		return err
	}
	for _, a := range b.out {
		if a.State != routecache.Hit {
			return errors.New("a pair that was written is a " + a.State.String())
		}
	}
	return nil
}
