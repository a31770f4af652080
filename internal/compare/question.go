package main

import (
	"strings"

	"github.com/slotcast/slotcast/routecache"
)

// A question is what all contenders of an operation are given. It is not modified once made.
type question struct {
	pairs     []routecache.Pair
	estimates []routecache.Estimate // what a Set stores
	want      []routecache.Answer   // what a Get has to answer
	layout    *routecache.Layout
	built     bool // keys are made in every batch

	readyGroups []group
	readyKeys   []string
}

// A group is the keys of one tag, which one command can name.
type group struct {
	keys  []string
	index []int32 // keys[j] is that of pairs[index[j]]
}

func newQuestion(layout *routecache.Layout, pairs []routecache.Pair, estimates []routecache.Estimate, hits int, built bool) *question {
	q := &question{pairs: pairs, estimates: estimates, layout: layout, built: built}
	q.want = make([]routecache.Answer, len(pairs))
	for i := range q.want {
		if q.want[i].State = routecache.Miss; (i+1)*hits/100 > i*hits/100 { // evenly spread
			q.want[i] = routecache.Answer{State: routecache.Hit, Estimate: estimates[i]}
		}
	}
	q.readyGroups = q.buildGroups()
	q.readyKeys = q.buildKeys()
	return q
}

// groups are the keys with tags, by tag.
func (q *question) groups() []group {
	if q.built {
		return q.buildGroups()
	}
	return q.readyGroups
}

// keys are the keys without tags, that of pairs[i] at i.
func (q *question) keys() []string {
	if q.built {
		return q.buildKeys()
	}
	return q.readyKeys
}

// buildGroups is what a user of a peer would write: a string per key, appended to the list of its tag.
func (q *question) buildGroups() []group {
	all := make([]group, len(q.layout.Anchors().List))
	size := len(q.pairs)/len(all) + len(q.pairs)/len(all)/8 + 1
	var buf [256]byte
	for i, p := range q.pairs {
		g := &all[q.layout.Anchor(p)]
		if g.keys == nil {
			g.keys, g.index = make([]string, 0, size), make([]int32, 0, size)
		}
		g.keys = append(g.keys, string(q.layout.AppendKey(buf[:0], p)))
		g.index = append(g.index, int32(i))
	}
	groups := all[:0]
	for _, g := range all {
		if len(g.keys) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

func (q *question) buildKeys() []string {
	keys := make([]string, len(q.pairs))
	var buf [256]byte
	for i, p := range q.pairs {
		key := q.layout.AppendKey(buf[:0], p)
		keys[i] = untagged(string(key))
	}
	return keys
}

// untagged is the key without its tag.
func untagged(key string) string { return key[strings.IndexByte(key, '}')+1:] }
