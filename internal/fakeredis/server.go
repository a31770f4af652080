// Package fakeredis is a scripted TCP peer for tests: a server whose every byte, pause and hang-up the test decides.
//
// A conversation reads like the wire:
//
//	s := fakeredis.Start(t)
//	s.Next().Hello().Expect("GET", "a").Reply("$1\r\nx\r\n").Close()
//
// scripts the next connection; connections without a script are served by the handler, [Ready] unless another is set.
// Steps may be added while the connection lives: they are taken one by one, so a reply is held back by giving it
// later. A [Proxy] does the like to a real server.
package fakeredis

import (
	"crypto/tls"
	"net"
	"sync"
	"testing"
)

// Server listens on a port of its own until the test ends. Its methods are safe for concurrent use.
type Server struct {
	t  testing.TB
	ln net.Listener

	done     chan struct{} // closed with the server
	mu       sync.Mutex
	handler  Handler
	scripts  []*Script
	conns    map[net.Conn]struct{}
	accepted int
	closed   bool
	tasks    sync.WaitGroup
}

// Handler answers one command with the bytes of the reply; nil is no reply. It is called by one goroutine per
// connection.
type Handler func(p *Peer, cmd []string) []byte

// Start starts a server.
func Start(t testing.TB) *Server {
	t.Helper()
	return start(t, func(ln net.Listener) net.Listener { return ln })
}

// StartTLS starts a server that speaks TLS.
func StartTLS(t testing.TB, cfg *tls.Config) *Server {
	t.Helper()
	return start(t, func(ln net.Listener) net.Listener { return tls.NewListener(ln, cfg) })
}

func start(t testing.TB, wrap func(net.Listener) net.Listener) *Server {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln = wrap(ln)
	s := &Server{t: t, ln: ln, handler: Ready(nil), done: make(chan struct{}), conns: make(map[net.Conn]struct{})}
	s.tasks.Go(s.accept)
	t.Cleanup(s.Close)
	return s
}

// Addr is the address to dial.
func (s *Server) Addr() string { return s.ln.Addr().String() }

// Port is the port of Addr.
func (s *Server) Port() int { return s.ln.Addr().(*net.TCPAddr).Port }

// Handle sets the handler of connections without a script, those that exist included.
func (s *Server) Handle(h Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handler = h
}

func (s *Server) current() Handler {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.handler
}

// Next scripts the next connection that has no script yet.
func (s *Server) Next() *Script {
	script := &Script{s: s, steps: make(chan step, 1024)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts = append(s.scripts, script)
	return script
}

// Accepted is the number of connections accepted.
func (s *Server) Accepted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepted
}

// Live is the number of connections not closed yet, as seen by the server.
func (s *Server) Live() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// Hangup closes all connections and goes on listening.
func (s *Server) Hangup() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for nc := range s.conns {
		_ = nc.Close()
	}
}

// Close stops listening, closes all connections and waits for their goroutines. It may be called again.
func (s *Server) Close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		_ = s.ln.Close()
		close(s.done)
	}
	s.mu.Unlock()
	s.Hangup()
	s.tasks.Wait()
}

func (s *Server) accept() {
	for {
		nc, err := s.ln.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			_ = nc.Close()
			return
		}
		s.conns[nc] = struct{}{}
		var script *Script
		if s.accepted < len(s.scripts) {
			script = s.scripts[s.accepted]
		}
		s.accepted++
		s.mu.Unlock()
		p := newPeer(nc, s.current, func() { s.forget(nc) })
		s.tasks.Go(func() {
			if script != nil {
				script.run(p)
			} else {
				p.serve()
			}
			_ = p.Close()
		})
	}
}

func (s *Server) forget(nc net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, nc)
}
