//go:build cgo

package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/routecache"
)

func TestAsk(t *testing.T) {
	q, err := ask(evening(1, 3000), 3000)
	require.NoError(t, err)
	written := map[routecache.Pair]routecache.Estimate{}
	for i, p := range q.written {
		if e, ok := written[p]; ok {
			require.Equal(t, e, q.estimates[i], "a pair has one estimate")
		}
		written[p] = q.estimates[i]
	}
	assert.Len(t, written, 3000)
	assert.Equal(t, 3000, q.distinct)
	assert.Greater(t, len(q.written), 3000, "the dispatcher repeats itself")
	unknown := map[routecache.Pair]bool{}
	inOrder := 0
	for i, p := range q.read {
		e, ok := written[p]
		require.Equal(t, q.known[i], ok)
		require.Equal(t, e, q.want[i])
		if !ok {
			require.False(t, unknown[p])
			unknown[p] = true
		}
		if i < len(q.written) && p == q.written[i] {
			inOrder++
		}
	}
	assert.Len(t, unknown, 300)
	assert.Len(t, q.read, len(q.written)+300)
	assert.Less(t, inOrder, len(q.written)/10, "read in another order")

	again, err := ask(evening(1, 3000), 3000)
	require.NoError(t, err)
	assert.Equal(t, q, again)
}

func TestCheck(t *testing.T) {
	e, f := routecache.Estimate{Seconds: 1, Metres: 2}, routecache.Estimate{Seconds: 2, Metres: 1}
	q := &questions{
		read:  make([]routecache.Pair, 3),
		want:  []routecache.Estimate{e, f, {}},
		known: []bool{true, true, false},
	}
	hit := func(e routecache.Estimate) routecache.Answer {
		return routecache.Answer{Estimate: e, State: routecache.Hit}
	}
	miss, failed := routecache.Answer{State: routecache.Miss}, routecache.Answer{State: routecache.Failed}
	for _, test := range []struct {
		name    string
		answers []routecache.Answer
		want    verdict
		ok      bool
	}{
		{"right", []routecache.Answer{hit(e), hit(f), miss}, verdict{hits: 2, misses: 1}, true},
		{"two estimates changed places", []routecache.Answer{hit(f), hit(e), miss}, verdict{hits: 2, misses: 1, wrong: 2}, false},
		{"written and missed", []routecache.Answer{miss, hit(f), miss}, verdict{hits: 1, misses: 2, wrong: 1}, false},
		{"never written and hit", []routecache.Answer{hit(e), hit(f), hit(routecache.Estimate{})}, verdict{hits: 3, wrong: 1}, false},
		{"failed", []routecache.Answer{failed, hit(f), failed}, verdict{hits: 1, failed: 2}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := q.check(test.answers)
			assert.Equal(t, test.want, v)
			assert.Equal(t, test.ok, (&measured{verdict: v}).verdictError(q) == nil)
		})
	}
	right := verdict{hits: 2, misses: 1}
	assert.Error(t, (&measured{verdict: right, forever: 1}).verdictError(q))
	assert.Error(t, (&measured{verdict: right, failure: errors.New("no")}).verdictError(q))
}
