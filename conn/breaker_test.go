package conn_test

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

var errRefused = errors.New("refused")

// The first pause lasts at most 125 ms, and no pause more than 1.25 s.
const pause, longest = 125 * time.Millisecond, 1250 * time.Millisecond

func mustFail(t *testing.T, p *conn.Pool) error {
	t.Helper()
	_, err := p.Get(t.Context())
	require.Error(t, err)
	return err
}

func TestBreakerOfDials(t *testing.T) {
	var events []conn.BreakerInfo
	f := &farm{fail: errRefused}
	trace := &conn.Trace{Breaker: func(i conn.BreakerInfo) { events = append(events, i) }}
	inBubble(t, "E19 opens, probes, closes", f, conn.Config{Trace: trace}, func(t *testing.T, p *conn.Pool) {
		for range 3 {
			assert.NotErrorIs(t, mustFail(t, p), conn.ErrBreakerOpen)
		}
		err := mustFail(t, p)
		require.ErrorIs(t, err, conn.ErrBreakerOpen)
		assert.ErrorIs(t, err, errRefused, "it says why")
		var refusal *conn.UnavailableError
		require.ErrorAs(t, err, &refusal)
		assert.Equal(t, "node", refusal.Addr)
		assert.True(t, refusal.Until.After(time.Now()))
		assert.True(t, conn.Unsent(err))
		synctest.Wait()
		assert.Equal(t, 3, f.dialled())

		time.Sleep(time.Until(refusal.Until))
		synctest.Wait()
		assert.Equal(t, 4, f.dialled(), "it is probed without a caller")
		assert.ErrorIs(t, mustFail(t, p), conn.ErrBreakerOpen, "callers are refused")
		assert.True(t, p.Stats().BreakerOpen)

		f.failWith(nil)
		time.Sleep(2 * pause)
		assert.False(t, p.Stats().BreakerOpen)
		p.Put(checkout(t, p))
		synctest.Wait()
		assert.Equal(t, 5, f.dialled(), "the connection of the probe is of use")
		require.Len(t, events, 3)
		assert.Equal(t, []bool{true, true, false}, []bool{events[0].Open, events[1].Open, events[2].Open})
		assert.ErrorIs(t, events[0].Err, errRefused)
	})
	g := &farm{fail: errRefused}
	inBubble(t, "E19 the pause grows, up to a bound", g, conn.Config{}, func(t *testing.T, p *conn.Pool) {
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
			mustFail(t, p)
		}
		synctest.Wait()
		assert.Greater(t, g.dialled(), 50)
		assert.Less(t, g.dialled(), 90)
	})
	inBubble(t, "off", &farm{fail: errRefused}, conn.Config{BreakerFailures: -1}, func(t *testing.T, p *conn.Pool) {
		for range 10 {
			assert.NotErrorIs(t, mustFail(t, p), conn.ErrBreakerOpen)
		}
	})
	t.Run("E26 no flood of dials to what is not Redis", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Handle(func(*fakeredis.Peer, []string) []byte { return []byte("HTTP/1.1 400 Bad Request\r\n\r\n") })
		p := newPool(t, s, &conn.Config{BreakerPause: time.Hour})
		for range 100 {
			assert.ErrorIs(t, mustFail(t, p), conn.ErrNotRedis)
		}
		assert.Equal(t, 3, s.Accepted())
	})
}

func TestBreakerOfConversations(t *testing.T) {
	timeout := &conn.IOError{Addr: "node", Op: "read", Err: os.ErrDeadlineExceeded}
	opened := func(p *conn.Pool) {
		for range 3 {
			p.Report(timeout)
		}
	}
	inBubble(t, "E13 refuses at once", new(farm), conn.Config{}, func(t *testing.T, p *conn.Pool) {
		p.Put(checkout(t, p))
		opened(p)
		start := time.Now()
		assert.ErrorIs(t, mustFail(t, p), os.ErrDeadlineExceeded)
		assert.Zero(t, time.Since(start))
	})
	deaf := &farm{ping: func(*fakeredis.Peer, []string) []byte { return nil }}
	inBubble(t, "F10 a node that only answers HELLO stays refused", deaf, conn.Config{}, func(t *testing.T, p *conn.Pool) {
		opened(p)
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			start := time.Now()
			assert.ErrorIs(t, mustFail(t, p), conn.ErrBreakerOpen)
			assert.Zero(t, time.Since(start), "no caller waits for a probe")
		}
		synctest.Wait()
		assert.Greater(t, deaf.dialled(), 5)
		assert.LessOrEqual(t, deaf.liveNow(), 1)
	})
	ailing := &farm{ping: func(*fakeredis.Peer, []string) []byte { return []byte("-LOADING wait\r\n") }}
	inBubble(t, "D17 a node that is loading stays refused", ailing, conn.Config{}, func(t *testing.T, p *conn.Pool) {
		opened(p)
		time.Sleep(10 * time.Second)
		assert.ErrorIs(t, mustFail(t, p), conn.ErrBreakerOpen)
		assert.ErrorContains(t, mustFail(t, p), "LOADING")
	})
	odd := &farm{ping: func(*fakeredis.Peer, []string) []byte { return []byte("-NOPERM no 'ping' for you\r\n") }}
	inBubble(t, "E27 any other answer to a probe is a sign of life", odd, conn.Config{}, func(t *testing.T, p *conn.Pool) {
		opened(p)
		time.Sleep(pause)
		p.Put(checkout(t, p))
	})
	inBubble(t, "stragglers do not make the pause longer", new(farm), conn.Config{}, func(t *testing.T, p *conn.Pool) {
		for range 100 {
			p.Report(timeout)
		}
		time.Sleep(pause)
		p.Put(checkout(t, p))
	})
	for name, f := range map[string]*farm{
		"a dial":   {delay: time.Hour},
		"its PING": {ping: func(*fakeredis.Peer, []string) []byte { return nil }},
	} {
		inBubble(t, "E28 the time-out of a probe in "+name+" is no caller's", f, conn.Config{}, func(t *testing.T, p *conn.Pool) {
			opened(p)
			time.Sleep(5 * time.Second)
			err := mustFail(t, p)
			assert.ErrorAs(t, err, new(*conn.DialError), "the probe failed")
			assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
			assert.NotErrorIs(t, err, context.DeadlineExceeded)
		})
	}
	inBubble(t, "a conversation under way that succeeds closes it", new(farm), conn.Config{BreakerPause: time.Hour}, func(t *testing.T, p *conn.Pool) {
		opened(p)
		p.Report(nil)
		p.Put(checkout(t, p))
		opened(p)
		assert.ErrorIs(t, mustFail(t, p), conn.ErrBreakerOpen)
	})
	inBubble(t, "a dial under way that succeeds does not", &farm{delay: time.Second}, conn.Config{BreakerPause: time.Hour}, func(t *testing.T, p *conn.Pool) {
		_, err := p.GetUntil(t.Context(), time.Now())
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		opened(p)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Equal(t, 1, p.Stats().Idle)
		assert.ErrorIs(t, mustFail(t, p), conn.ErrBreakerOpen)
	})
	inBubble(t, "dials between failed conversations do not keep it closed", new(farm), conn.Config{}, func(t *testing.T, p *conn.Pool) {
		for range 3 {
			p.Flush()
			p.Put(checkout(t, p))
			p.Report(timeout)
		}
		assert.ErrorIs(t, mustFail(t, p), conn.ErrBreakerOpen)
	})
	full := new(farm)
	inBubble(t, "a probe is within MaxConns", full, conn.Config{MaxConns: 1}, func(t *testing.T, p *conn.Pool) {
		c := checkout(t, p)
		opened(p)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		assert.Equal(t, 1, full.mostLiveYet())
		p.Put(c)
		time.Sleep(longest)
		p.Put(checkout(t, p))
		synctest.Wait()
		assert.Equal(t, 1, full.mostLiveYet())
		assert.Equal(t, 2, full.dialled(), "the idle one made room")
	})
	slow := &farm{delay: time.Hour}
	inBubble(t, "E18 callers who wait in vain for the first connection", slow, conn.Config{DialTimeout: 2 * time.Hour}, func(t *testing.T, p *conn.Pool) {
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			_, err := p.Get(ctx)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			cancel()
		}
		err := mustFail(t, p)
		assert.ErrorIs(t, err, conn.ErrBreakerOpen)
		assert.NotErrorIs(t, err, context.DeadlineExceeded, "E28: that was another caller's")
	})
	inBubble(t, "E18 callers in a hurry say nothing", &farm{delay: time.Hour}, conn.Config{DialTimeout: 2 * time.Hour}, func(t *testing.T, p *conn.Pool) {
		for range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
			_, err := p.Get(ctx)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			cancel()
		}
		assert.False(t, p.Stats().BreakerOpen)
	})
	inBubble(t, "E18 nor do those who wait behind other callers", new(farm), conn.Config{MaxConns: 1}, func(t *testing.T, p *conn.Pool) {
		defer p.Put(checkout(t, p))
		for range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			_, err := p.Get(ctx)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			cancel()
		}
		assert.False(t, p.Stats().BreakerOpen)
	})
	inBubble(t, "E18 nobody waits for a node that is refused", new(farm), conn.Config{MaxConns: 1}, func(t *testing.T, p *conn.Pool) {
		defer p.Put(checkout(t, p))
		var err error
		go func() { _, err = p.Get(t.Context()) }()
		synctest.Wait()
		opened(p)
		synctest.Wait()
		assert.ErrorIs(t, err, conn.ErrBreakerOpen)
	})
}

func TestVerdicts(t *testing.T) {
	tests := []struct {
		name string
		err  error
		fail bool // counts as a failure
		heal bool // and as a success
	}{
		{"success", nil, false, true},
		{"E27 NOSCRIPT is proof of life", resp.NewError("NOSCRIPT No matching script."), false, true},
		{"E27 MOVED is proof of life", resp.NewError("MOVED 1 b:1"), false, true},
		{"E27 LOADING is not", resp.NewError("LOADING wait"), true, false},
		{"E27 MASTERDOWN is not", resp.NewError("MASTERDOWN Link with MASTER is down"), true, false},
		{"a goodbye is not", &conn.IOError{Op: "write", Err: resp.NewError("ERR max number of clients reached")}, true, false},
		{"a timeout", &conn.IOError{Op: "read", Err: os.ErrDeadlineExceeded}, true, false},
		{"the caller's deadline", &conn.IOError{Op: "read", Err: context.DeadlineExceeded}, true, false},
		{"the end of the stream", io.ErrUnexpectedEOF, true, false},
		{"the caller's cancel", &conn.IOError{Op: "read", Err: context.Canceled}, false, false},
		{"a dial, which the pool has counted", &conn.DialError{Op: "dial", Err: errRefused}, false, false},
		{"a refused password is no proof of life", &conn.DialError{Op: "auth", Err: resp.NewError("WRONGPASS no")}, false, false},
		{"the breaker's own", &conn.UnavailableError{Err: errRefused}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := conn.NewPool("node", &conn.Config{BreakerPause: time.Hour})
			defer p.Close()
			for range 3 {
				p.Report(tt.err)
			}
			assert.Equal(t, tt.fail, p.Stats().BreakerOpen)
			for range 3 {
				p.Report(io.EOF)
			}
			require.True(t, p.Stats().BreakerOpen)
			p.Report(tt.err)
			assert.Equal(t, tt.heal, !p.Stats().BreakerOpen)
		})
	}
}
