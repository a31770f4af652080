package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/routecache"
)

// items are keys with values, for batch.Client. Answers are compared with the values.
type items struct {
	keys   []string
	slots  []uint16
	values [][]byte
	wrong  int // answers that are another value, or none
}

// newItems makes items whose values are the estimates as the cache stores them.
func newItems(keys []string, estimates []routecache.Estimate) (*items, error) {
	s := &items{keys: keys, slots: make([]uint16, len(keys)), values: make([][]byte, len(keys))}
	for i, key := range keys {
		s.slots[i] = crc16.Slot(key)
		var err error
		if s.values[i], err = routecache.AppendEstimate(nil, estimates[i]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *items) Len() int          { return len(s.keys) }
func (s *items) Slot(i int) uint16 { return s.slots[i] }
func (s *items) Stored(int)        {}

// Reply is for one goroutine, unlike the rest.
func (s *items) Reply(i int, v []byte) {
	if !s.right(i, v) {
		s.wrong++
	}
}

func (s *items) AppendKey(dst []byte, i int) []byte   { return resp.AppendBulkString(dst, s.keys[i]) }
func (s *items) AppendValue(dst []byte, i int) []byte { return resp.AppendBulk(dst, s.values[i]) }

// right compares an answer, after parsing it as the cache would. It is safe for concurrent use.
func (s *items) right(i int, v []byte) bool {
	_, err := routecache.ParseEstimate(v)
	return err == nil && string(v) == string(s.values[i])
}

// verdictOn is an error if answers were wrong.
func verdictOn(wrong int) error {
	if wrong > 0 {
		return fmt.Errorf("%s wrong", plural(wrong, "answer is", "answers are"))
	}
	return nil
}

// write stores the items; they are deleted in the end.
func (c *cluster) write(ctx context.Context, s *items) error {
	c.will(s.keys)
	return c.client.Set(ctx, s, ttl)
}

// read gets the items and checks the answers.
func (c *cluster) read(ctx context.Context, s *items) error {
	s.wrong = 0
	return errors.Join(c.client.Get(ctx, s), verdictOn(s.wrong))
}

// untagged returns the keys that pairs have without a tag.
func (c *cluster) untagged(pairs []routecache.Pair) []string {
	keys := make([]string, len(pairs))
	for i, p := range pairs {
		keys[i] = fmt.Sprintf("%s:%v:%v:%d", c.prefix, p.Origin, p.Dest, p.Origin.Resolution())
	}
	return keys
}

// tagged returns the keys that pairs have in a layout.
func tagged(layout *routecache.Layout, pairs []routecache.Pair) []string {
	keys := make([]string, len(pairs))
	for i, p := range pairs {
		keys[i] = string(layout.AppendKey(nil, p))
	}
	return keys
}
