package main

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/routecache"
)

// A scene is a cluster filled for one cell, and the contenders connected to it.
type scene struct {
	cell       cell
	cluster    *redistest.Cluster
	clerk      clerk
	get, set   *question
	contenders []*contender
	closers    []func()
}

func (s *scene) onClose(f func()) { s.closers = append(s.closers, f) }

// close closes all connections; the cluster stays.
func (s *scene) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
}

// newScene empties the cluster, fills it, and connects the contenders whose names match only.
func newScene(ctx context.Context, cluster *redistest.Cluster, c cell, seed uint64, only *regexp.Regexp) (_ *scene, err error) {
	s := &scene{cell: c, cluster: cluster}
	defer func() {
		if err != nil {
			s.close()
			err = fmt.Errorf("setting up %v: %w", c, err)
		}
	}()
	if err := cluster.FlushAll(); err != nil {
		return nil, err
	}
	cache, err := openCache(ctx, cluster.Addrs(), c.Tags, 0, nil)
	if err != nil {
		return nil, err
	}
	s.onClose(func() { cache.Close() })
	if err := s.ask(cache, seed); err != nil {
		return nil, err
	}
	hand, err := newRueidis(cluster.Addrs(), new(meter))
	if err != nil {
		return nil, err
	}
	s.onClose(hand.Close)
	s.clerk = clerk{hand}
	if err := s.clerk.fill(ctx, s.get); err != nil {
		return nil, err
	}
	for _, node := range cluster.Nodes() {
		if _, err := node.Do("SCRIPT", "LOAD", peerScript); err != nil {
			return nil, err
		}
	}
	all, err := s.connect(ctx, cache)
	if err != nil {
		return nil, err
	}
	for _, contender := range all {
		if only == nil || only.MatchString(contender.String()) {
			s.contenders = append(s.contenders, contender)
		}
	}
	return s, nil
}

// ask makes the questions: the pairs of Set are others than those of Get, so that a Set makes no hits.
func (s *scene) ask(cache *routecache.Cache, seed uint64) error {
	n := s.cell.Pairs
	pairs, estimates, err := workload.CellPairs(2*n, cache.Resolution(), seed)
	if err != nil {
		return err
	}
	s.get = newQuestion(cache.Layout(), pairs[:n], estimates[:n], s.cell.Hits, s.cell.Built)
	s.set = newQuestion(cache.Layout(), pairs[n:], estimates[n:], 100, s.cell.Built)
	return nil
}

// connect opens every client, in the order of the turns.
func (s *scene) connect(ctx context.Context, cache *routecache.Cache) ([]*contender, error) {
	addrs := s.cluster.Addrs()
	gets, sets, err := recordBatches(ctx, addrs, s.cell.Tags, s.get, s.set)
	if err != nil {
		return nil, err
	}
	all := []*contender{limitContender(ctx, s, "of Get", false, gets), limitContender(ctx, s, "of Set", true, sets)}
	all = append(all, slotcastContenders(cache, s.get, s.set)...)

	singly, err := openCache(ctx, addrs, s.cell.Tags, 1, nil)
	if err != nil {
		return nil, err
	}
	s.onClose(func() { singly.Close() })
	all = append(all, slotcastSet(singly, s.set, true))

	m := new(meter)
	goRedis := newGoRedis(addrs, m)
	s.onClose(func() { goRedis.Close() })
	all = append(all, goRedisContenders(goRedis, m, s.get, s.set)...)

	m = new(meter)
	ruClient, err := newRueidis(addrs, m)
	if err != nil {
		return nil, err
	}
	s.onClose(ruClient.Close)
	all = append(all, rueidisContenders(ruClient, m, s.get, s.set)...)

	m = new(meter)
	opening, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	radixClient, err := newRadix(opening, addrs, m, s.cell.Concurrent)
	if err != nil {
		return nil, err
	}
	s.onClose(func() { radixClient.Close() })
	return append(all, radixContenders(radixClient, m, s.get)...), nil
}
