package conn

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/slotcast/slotcast/resp"
)

// breaker refuses a node that keeps failing. After some consecutive failures it is open: each time a pause is over one
// caller passes as a probe, and the others are refused until the next pause is over. A probe that fails makes the
// pause longer; a success closes the breaker. A probe that never tells its outcome costs one pause and no more.
//
// Dials and conversations are counted apart, because a node whose conversations time out may well accept connections
// and answer HELLO (e.g. while a script runs): only a conversation's success closes what conversations opened. It is
// not safe for concurrent use: the pool's lock guards it.
type breaker struct {
	cfg     *Config
	fails   [2]int // consecutive, by failure
	open    bool
	by      failure
	probing bool
	pause   time.Duration
	until   time.Time // when the next probe may pass, if open
	last    error     // the latest failure
}

type failure uint8

const (
	byDial failure = iota
	byTalk
)

// pass reports whether a caller may try now.
func (b *breaker) pass(now time.Time) bool {
	if !b.open {
		return true
	}
	if now.Before(b.until) {
		return false
	}
	b.probing = true
	b.until = now.Add(jitter(b.pause))
	return true
}

// failed counts a failure and reports whether it opened the breaker, or ended a probe.
func (b *breaker) failed(kind failure, err error, now time.Time) bool {
	if b.cfg.BreakerFailures < 0 {
		return false
	}
	b.last = err
	b.fails[kind]++
	switch {
	case b.open && !b.probing:
		return false // a straggler: many conversations fail at once when a node goes
	case b.open:
		b.pause = min(2*b.pause, b.cfg.BreakerMaxPause)
	case b.fails[kind] < b.cfg.BreakerFailures:
		return false
	default:
		b.open, b.by, b.pause = true, kind, b.cfg.BreakerPause
	}
	b.probing = false
	b.until = now.Add(jitter(b.pause))
	return true
}

// succeeded notes a success and reports whether it closed the breaker.
func (b *breaker) succeeded(kind failure) bool {
	b.fails[byDial] = 0
	if kind == byTalk {
		b.fails[byTalk] = 0
	}
	if !b.open || kind == byDial && b.by == byTalk {
		return false
	}
	*b = breaker{cfg: b.cfg}
	return true
}

// jitter is d, give or take a quarter.
func jitter(d time.Duration) time.Duration {
	return d*3/4 + time.Duration(rand.Int64N(int64(d)/2+1))
}

// verdict says what the outcome of a conversation tells about its node: alive, ailing, or nothing. An error reply is
// proof of life (fault E27), unless it says that the node cannot serve.
func verdict(err error) (alive, ailing bool) {
	if err == nil {
		return true, false // before the variables below, which are allocated
	}
	var dial *DialError
	var broken *IOError
	var said *resp.Error
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, ErrBreakerOpen), errors.Is(err, ErrPoolClosed), errors.As(err, &dial):
		return false, false // the caller's choice, or counted already
	case errors.As(err, &broken):
		return false, true // also where it carries a server's goodbye
	case errors.As(err, &said):
		ailing = said.Code() == "LOADING" || said.Code() == "MASTERDOWN"
		return !ailing, ailing
	default:
		return false, true
	}
}
