package fuzz_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/slotcast/slotcast/crc16"
)

// scene is what a conversation begins with.
type scene struct {
	nodes        int
	keys         []string // the items
	turned       bool     // their order
	duplicates   bool     // each key is there twice
	maxKeys      int
	window       int // 0 for the default
	ends         ending
	setFirst     bool
	fromTheStart bool // the script begins before the client is opened
	babble       bool // see fakes.babble
}

// ending is how a call's context ends.
type ending int

const (
	never ending = iota
	soon         // by its deadline
	late         // by its deadline
	cancelled
)

const (
	soonEnd   = 30 * time.Millisecond
	lateEnd   = 400 * time.Millisecond
	cancelEnd = 15 * time.Millisecond
)

// sceneSeeds are shapes: two, two, three, one, four and two nodes; two, three, two, four, four and one key per tag.
var sceneSeeds = []uint16{0x041, 0x085, 0x05e, 0x7e0, 0x8cb, 0x111}

// newScene makes a scene of the bits of shape.
func newScene(shape uint16) *scene {
	take := func(n int) int {
		bits := int(shape) % n
		shape /= uint16(n)
		return bits
	}
	s := &scene{nodes: 1 + take(4), ends: ending(take(4)), setFirst: take(2) == 1, fromTheStart: take(2) == 1}
	perTag := 1 + take(4)
	for _, tag := range tags(s.nodes) {
		for i := range perTag {
			s.keys = append(s.keys, fmt.Sprintf("{%s}%d", tag, i))
		}
	}
	s.babble = take(2) == 1
	s.maxKeys = 2 * take(2)
	s.window = 64 * take(2)
	if s.duplicates = take(2) == 1; s.duplicates {
		s.keys = append(s.keys, s.keys...)
	}
	return s
}

// tags are two hash tags for each of n nodes with equal shares of the slots.
func tags(n int) (tags []string) {
	count := make([]int, n)
	for i := 0; len(tags) < 2*n; i++ {
		tag := fmt.Sprint("t", i)
		if owner := int(crc16.Slot(tag)) * n / crc16.SlotCount; count[owner] < 2 {
			count[owner]++
			tags = append(tags, tag)
		}
	}
	return tags
}

// sets reports whether a call, counting from 0, is a Set: the first or the last of three, so that two Gets follow each
// other.
func (s *scene) sets(call int) bool {
	if s.setFirst {
		return call == 0
	}
	return call == 2
}

// nextKeys turns the order of the keys for each call, so that a reply meant for the call before would give foreign values.
func (s *scene) nextKeys() []string {
	keys := slices.Clone(s.keys)
	if s.turned {
		slices.Reverse(keys)
	}
	s.turned = !s.turned
	return keys
}

func (s *scene) copies() int {
	if s.duplicates {
		return 2
	}
	return 1
}

func (s *scene) context(ctx context.Context) (context.Context, context.CancelFunc) {
	switch s.ends {
	case soon:
		return context.WithTimeout(ctx, soonEnd)
	case late:
		return context.WithTimeout(ctx, lateEnd)
	case cancelled:
		ctx, cancel := context.WithCancel(ctx)
		timer := time.AfterFunc(cancelEnd, cancel)
		return ctx, func() { timer.Stop(); cancel() }
	}
	return ctx, func() {}
}

// patience is how long a call may take.
func (s *scene) patience() time.Duration {
	const slack = time.Millisecond // time in the bubble passes only while everything waits
	return slack + map[ending]time.Duration{never: callTimeout, soon: soonEnd, late: lateEnd, cancelled: cancelEnd}[s.ends]
}
