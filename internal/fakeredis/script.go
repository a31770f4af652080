package fakeredis

import (
	"io"
	"slices"
	"strings"
)

// Script is what one connection does. Its methods add a step and return the script; the steps are done in order, each
// when the one before it is over. After the last one the connection stays open and silent.
type Script struct {
	s     *Server
	steps chan step
}

// step does one thing and reports whether the connection is still of use.
type step func(p *Peer) bool

func (c *Script) run(p *Peer) {
	for {
		select {
		case do := <-c.steps:
			if !do(p) {
				return
			}
		case <-c.s.done:
			return
		}
	}
}

// Then adds a step of any kind.
func (c *Script) Then(do func(p *Peer)) *Script {
	c.steps <- func(p *Peer) bool { do(p); return true }
	return c
}

// Expect reads one command, which must be this one. The case of its first word does not matter.
func (c *Script) Expect(want ...string) *Script {
	c.steps <- func(p *Peer) bool {
		got, err := p.Command()
		if err != nil {
			c.s.t.Errorf("fakeredis: waiting for %q: %v", want, err)
			return false
		}
		if len(got) > 0 {
			got[0] = strings.ToUpper(got[0])
		}
		if !slices.Equal(got, want) {
			c.s.t.Errorf("fakeredis: got %q, want %q", got, want)
		}
		return true
	}
	return c
}

// Hello reads the client's HELLO 3, whatever its options, and welcomes it.
func (c *Script) Hello() *Script {
	c.steps <- func(p *Peer) bool {
		cmd, err := p.Command()
		if err != nil || len(cmd) < 2 || cmd[0] != "HELLO" || cmd[1] != "3" {
			c.s.t.Errorf("fakeredis: got %q, %v, want HELLO 3", cmd, err)
			return false
		}
		_, err = p.Write(Welcome)
		return err == nil
	}
	return c
}

// Reply writes these bytes in one piece. Failures are the client's choice and are not reported.
func (c *Script) Reply(raw string) *Script {
	c.steps <- func(p *Peer) bool { _, err := io.WriteString(p, raw); return err == nil }
	return c
}

// Wait waits until ch is closed or gives something.
func (c *Script) Wait(ch <-chan struct{}) *Script {
	return c.Then(func(*Peer) {
		select {
		case <-ch:
		case <-c.s.done:
		}
	})
}

// Signal closes ch.
func (c *Script) Signal(ch chan struct{}) *Script {
	return c.Then(func(*Peer) { close(ch) })
}

// Drain reads and drops all the client sends until it closes its side.
func (c *Script) Drain() *Script {
	return c.Then(func(p *Peer) { _, _ = io.Copy(io.Discard, p.Conn) })
}

// Serve leaves the rest of the connection to the server's handler.
func (c *Script) Serve() *Script {
	c.steps <- func(p *Peer) bool { p.serve(); return false }
	return c
}

// Close closes the connection. Steps behind it that need no connection are still done.
func (c *Script) Close() *Script {
	return c.Then(func(p *Peer) { _ = p.Close() })
}

// Reset closes the connection so that the client sees a reset.
func (c *Script) Reset() *Script { return c.Then((*Peer).Reset) }
