package conn_test

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
)

// farm dials connections in memory, for tests in a synctest bubble, and counts them. Its clock is the bubble's.
type farm struct {
	handler fakeredis.Handler // nil: ready
	ping    fakeredis.Handler // answers PING, if set
	delay   time.Duration     // of each dial

	mu                 sync.Mutex
	fail               error // of each dial, if set
	dials              int
	dialing, mostDials int
	live, mostLive     int
}

// config is cfg with dials into the farm.
func (f *farm) config(cfg conn.Config) *conn.Config {
	cfg.Dial = f.dial
	return &cfg
}

func (f *farm) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	f.count(func() {
		f.dials++
		f.dialing++
		f.mostDials = max(f.mostDials, f.dialing)
	})
	defer f.count(func() { f.dialing-- })
	if f.delay > 0 {
		select {
		case <-time.After(f.delay):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		return nil, f.fail
	}
	f.live++
	f.mostLive = max(f.mostLive, f.live)
	ready := fakeredis.Ready(f.handler)
	return &farmed{Conn: fakeredis.Pipe(func(p *fakeredis.Peer, cmd []string) []byte {
		if cmd[0] == "PING" && f.ping != nil {
			return f.ping(p, cmd)
		}
		return ready(p, cmd)
	}), farm: f}, nil
}

func (f *farm) failWith(err error) { f.count(func() { f.fail = err }) }

func (f *farm) count(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *farm) liveNow() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.live
}

func (f *farm) mostLiveYet() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mostLive
}

func (f *farm) dialled() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dials
}

type farmed struct {
	net.Conn
	farm *farm
	once sync.Once
}

func (c *farmed) Close() error {
	c.once.Do(func() { c.farm.count(func() { c.farm.live-- }) })
	return c.Conn.Close()
}

// echo answers GET k with k.
func echo(_ *fakeredis.Peer, cmd []string) []byte { return bulk(cmd[1]) }
