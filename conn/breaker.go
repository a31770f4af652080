package conn

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/slotcast/slotcast/resp"
)

// breaker refuses a node that keeps failing. After some consecutive failures it is open, and every caller is refused at
// once; meanwhile the node is probed in the background, see Pool.probe: no caller's request is risked for it. A probe that
// fails makes the pause before the next one longer; one that succeeds closes the breaker, and so does a conversation
// that was under way and succeeded.
//
// Dials and conversations are counted apart, because a node whose conversations time out may well accept connections
// and answer HELLO (e.g. while a script runs). It is not safe for concurrent use: the pool's lock guards it.
type breaker struct {
	cfg     *Config
	fails   [2]int // consecutive, by failure
	open    bool
	probing bool // a goroutine probes, or waits to
	pause   time.Duration
	until   time.Time // when the node is probed next, if open
	last    error     // the latest failure
}

type failure uint8

const (
	byDial failure = iota
	byTalk
)

// failed counts a failure and reports whether it opened the breaker. An open one does not care: many conversations
// fail at once when a node goes.
func (b *breaker) failed(kind failure, err error, now time.Time) bool {
	if b.cfg.BreakerFailures < 0 {
		return false
	}
	b.last = err
	b.fails[kind]++
	if b.open || b.fails[kind] < b.cfg.BreakerFailures {
		return false
	}
	b.open, b.pause = true, b.cfg.BreakerPause
	b.until = now.Add(jitter(b.pause))
	return true
}

// probed notes that a probe failed.
func (b *breaker) probed(err error, now time.Time) {
	b.last = err
	b.pause = min(2*b.pause, b.cfg.BreakerMaxPause)
	b.until = now.Add(jitter(b.pause))
}

// succeeded notes a success and reports whether it closed the breaker, which a dial alone does not.
func (b *breaker) succeeded(kind failure) bool {
	b.fails[byDial] = 0
	if kind == byDial {
		return false
	}
	b.fails[byTalk] = 0
	closed := b.open
	b.open = false
	return closed
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
