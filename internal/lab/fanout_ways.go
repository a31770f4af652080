package main

import (
	"context"
	"errors"
	"slices"
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
	s := b.untagged
	requests := b.cluster.requests()
	indexes := make([][]int, len(requests))
	for i, key := range s.keys {
		q := &requests[b.cluster.nodeAt(s.slots[i]).index]
		q.add(1, func(dst []byte) []byte { return resp.AppendCommand(dst, "GET", key) })
		indexes[q.node.index] = append(indexes[q.node.index], i)
	}
	requests = byNode(requests)
	s.wrong = 0
	begin := b.spans.now()
	err := exchange(ctx, requests, func(q, i int, r *resp.Reader) error {
		v, err := r.Bulk()
		node := requests[q].node.index
		s.judge(indexes[node][i], v)
		b.spans.add(node, begin)
		return err
	})
	return errors.Join(err, s.verdict())
}

// perSlot is an MGET per slot.
func (b *fanoutBatch) perSlot(ctx context.Context) error {
	all := make([]int, b.untagged.Len())
	for i := range all {
		all[i] = i
	}
	b.untagged.wrong = 0
	wrong, err := b.mgets(ctx, b.untagged, all)
	b.untagged.wrong = wrong
	return errors.Join(err, b.untagged.verdict())
}

// chunked cuts the tagged keys in chunks and has goroutines ask for them, an MGET per slot of a chunk.
func (b *fanoutBatch) chunked(ctx context.Context) error {
	all := make([]int, b.tagged.Len())
	for i := range all {
		all[i] = i
	}
	chunks := slices.Collect(slices.Chunk(all, b.chunk))
	var next, wrong atomic.Int64
	errs := make([]error, min(b.workers, len(chunks)))
	var wg sync.WaitGroup
	for w := range errs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(chunks) {
					return
				}
				n, err := b.mgets(ctx, b.tagged, chunks[i])
				wrong.Add(int64(n))
				errs[w] = err
			}
		}()
	}
	wg.Wait()
	b.tagged.wrong = int(wrong.Load())
	return errors.Join(errors.Join(errs...), b.tagged.verdict())
}

// mgets asks for some of the items with an MGET per slot, all of one primary in one write, and returns how many answers are
// wrong. It is safe for concurrent use.
func (b *fanoutBatch) mgets(ctx context.Context, s *items, indexes []int) (wrong int, err error) {
	bySlot := map[uint16][]int{}
	var slots []uint16
	for _, i := range indexes {
		if bySlot[s.slots[i]] == nil {
			slots = append(slots, s.slots[i])
		}
		bySlot[s.slots[i]] = append(bySlot[s.slots[i]], i)
	}
	requests := b.cluster.requests()
	asked := make([][]uint16, len(requests))
	for _, slot := range slots {
		q := &requests[b.cluster.nodeAt(slot).index]
		q.add(1, func(dst []byte) []byte {
			dst = resp.AppendArray(dst, 1+len(bySlot[slot]))
			dst = resp.AppendBulkString(dst, "MGET")
			for _, i := range bySlot[slot] {
				dst = s.AppendKey(dst, i)
			}
			return dst
		})
		asked[q.node.index] = append(asked[q.node.index], slot)
	}
	requests = byNode(requests)
	begin := b.spans.now()
	err = exchange(ctx, requests, func(q, j int, r *resp.Reader) error {
		node := requests[q].node.index
		if _, err := r.Array(); err != nil {
			return err
		}
		for _, i := range bySlot[asked[node][j]] {
			v, err := r.Bulk()
			if err != nil {
				return err
			}
			if _, err := routecache.ParseEstimate(v); err != nil || string(v) != string(s.values[i]) {
				wrong++
			}
		}
		b.spans.add(node, begin)
		return nil
	})
	return wrong, err
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
