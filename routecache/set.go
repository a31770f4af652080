package routecache

import (
	"context"
	"fmt"
	"time"
)

// Set stores the estimates: estimates[i] is that of pairs[i], for the time ttl. Of a pair that occurs more than once the
// last estimate is stored. Both slices belong to the caller and are not kept; they must have the same length. A ttl
// under a millisecond counts as one, one above MaxTTL as MaxTTL.
//
// A *LengthError, *PairError, *EstimateError or *TTLError says that the call makes no sense; then nothing has been sent.
// Any other error means that some estimates may not have been stored; a *PartialError says which and why. To store an
// estimate again is harmless.
//
// The call ends when ctx does, or after Config.Batch.Conn.Timeout.
func (c *Cache) Set(ctx context.Context, pairs []Pair, estimates []Estimate, ttl time.Duration) error {
	if len(estimates) != len(pairs) {
		return &LengthError{Pairs: len(pairs), Other: len(estimates), Name: "estimates"}
	}
	ttl, err := checkTTL(ttl)
	if err != nil {
		return err
	}
	for i := range estimates {
		if err := estimates[i].Check(); err != nil {
			return fmt.Errorf("pair %d: %w", i, err)
		}
	}
	s := c.sets.Get(len(pairs))
	defer func() { c.sets.Put(s, s.room()) }()
	if err := s.prepare(c.layouts.now().layout, pairs); err != nil {
		s.release()
		return err
	}
	c.layouts.lives(ttl)
	s.last = append(s.last[:0], s.first...)
	for _, d := range s.again {
		s.last[d.item] = d.pair
	}
	s.estimates = estimates
	err = s.partial(c.client.Set(ctx, s, ttl))
	c.counts.sets.Add(int64(len(pairs)))
	s.estimates = nil
	s.release()
	return err
}

// set is the query of a Set and what is stored.
type set struct {
	query
	estimates []Estimate
	last      []int32 // by item: the pair whose estimate counts, the last of its duplicates
}

// AppendValue appends the estimate of item k as a RESP bulk string.
func (s *set) AppendValue(dst []byte, k int) []byte {
	return appendEstimateBulk(dst, s.estimates[s.last[k]])
}

// AppendValues appends the estimates of the items as RESP bulk strings.
func (s *set) AppendValues(dst []byte, items []int32) []byte {
	for _, k := range items {
		dst = s.AppendValue(dst, int(k))
	}
	return dst
}

// AllStored is nothing to a Set, as Stored is.
func (s *set) AllStored([]int32) {}

// Stored is nothing to a Set: what is not reported as failed is stored.
func (s *set) Stored(int) {}
