package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/slotcast/slotcast/routecache"
)

// repeats is the number of reads after the counted one, for the median of the time.
const repeats = 20

// measured is what one write batch and one read batch did.
type measured struct {
	rows    []row
	write   time.Duration
	read    time.Duration
	median  time.Duration // of the repeated reads
	verdict verdict
	forever int   // keys without a time to live
	failure error // of the write or the read, if some pairs failed
}

// row is what concerns one primary.
type row struct {
	addr    string
	slots   string
	tags    int
	keys    int    // that exist after the write
	write   counts // commands of the write batch, as the server counts them
	read    counts // of the read batch
	written inOut  // bytes of the write batch
	got     inOut  // bytes of the read batch
}

// measure runs the batches. An error means that nothing could be measured; pairs that failed are a part of the result.
func (s *session) measure(ctx context.Context, q *questions, primaries []primary) (*measured, error) {
	if err := s.warmUp(ctx, q); err != nil {
		return nil, err
	}
	m := &measured{}
	before, err := countAll(ctx, primaries)
	if err != nil {
		return nil, err
	}
	s.traffic.take()

	begin := time.Now()
	m.failure = s.write(ctx, q.written, q.estimates)
	m.write = time.Since(begin)
	sent := s.traffic.take()
	between, err := countAll(ctx, primaries)
	if err != nil {
		return nil, err
	}

	answers := make([]routecache.Answer, len(q.read))
	begin = time.Now()
	err = s.cache.Get(ctx, q.read, answers)
	m.read = time.Since(begin)
	m.failure = errors.Join(m.failure, err)
	got := s.traffic.take()
	after, err := countAll(ctx, primaries)
	if err != nil {
		return nil, err
	}
	m.verdict = q.check(answers)

	for i, p := range primaries {
		m.rows = append(m.rows, row{
			addr:    p.Addr(),
			write:   between[i].minus(before[i]),
			read:    after[i].minus(between[i]),
			written: sent[p.Addr()],
			got:     got[p.Addr()],
		})
	}
	if err := s.inspect(ctx, q, primaries, m); err != nil {
		return nil, err
	}
	return m, s.repeat(ctx, q, m)
}

// inspect asks each primary about its keys.
func (s *session) inspect(ctx context.Context, q *questions, primaries []primary, m *measured) error {
	keys := keys(s.layout, q.written)
	anchors := s.layout.Anchors()
	i := 0
	for number, shard := range s.layout.Topology().Shards() {
		if len(shard.Slots) == 0 {
			continue
		}
		m.rows[i].slots = slotRanges(shard.Slots)
		m.rows[i].tags = anchors.Seats[number]
		for a, anchor := range anchors.List {
			if int(anchor.Shard) != number {
				continue
			}
			there, forever, err := primaries[i].countKeys(ctx, keys[a])
			if err != nil {
				return err
			}
			m.rows[i].keys += there
			m.forever += forever
		}
		i++
	}
	return nil
}

// repeat reads the same batch again and again for the median of the time.
func (s *session) repeat(ctx context.Context, q *questions, m *measured) error {
	answers := make([]routecache.Answer, len(q.read))
	times := make([]time.Duration, repeats)
	for i := range times {
		begin := time.Now()
		err := s.cache.Get(ctx, q.read, answers)
		times[i] = time.Since(begin)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if v := q.check(answers); v != m.verdict {
			return fmt.Errorf("read %d of the same batch: %+v, at first %+v (%w)", i+2, v, m.verdict, err)
		}
	}
	slices.Sort(times)
	m.median = times[repeats/2]
	return nil
}

// verdictError is nil if every answer was right and every key has a time to live.
func (m *measured) verdictError(q *questions) error {
	v := m.verdict
	if m.failure == nil && v.failed == 0 && v.wrong == 0 && m.forever == 0 {
		return nil
	}
	err := fmt.Errorf("of %d pairs %d failed and %d were wrong; %d keys have no time to live", len(q.read), v.failed, v.wrong, m.forever)
	return errors.Join(err, m.failure)
}
