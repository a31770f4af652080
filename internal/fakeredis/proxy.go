package fakeredis

import (
	"net"
	"sync"
	"testing"
)

// Proxy stands between clients and a server and can lose the network between them. Its methods are safe for concurrent
// use and hold for the connections that exist as well as for those to come.
type Proxy struct {
	t      testing.TB
	target string
	ln     net.Listener
	tasks  sync.WaitGroup

	mu      sync.Mutex
	change  *sync.Cond
	held    bool
	cut     int64 // replies are cut after so many bytes more, if cutting
	cutting bool
	closed  bool
	conns   map[net.Conn]struct{}
}

// StartProxy starts a proxy to target. It ends with the test.
func StartProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{t: t, target: target, ln: ln, conns: make(map[net.Conn]struct{})}
	p.change = sync.NewCond(&p.mu)
	p.tasks.Go(p.accept)
	t.Cleanup(p.Close)
	return p
}

// Addr is the address to dial.
func (p *Proxy) Addr() string { return p.ln.Addr().String() }

// Hold forwards nothing any more, in either direction: the network is a black hole, or slow if Release is called.
func (p *Proxy) Hold() { p.set(func() { p.held = true }) }

// Release forwards what was held, and all that comes.
func (p *Proxy) Release() { p.set(func() { p.held = false }) }

// CutAfter closes the connection on which the n-th byte of replies from now on passes, after that byte. Once.
func (p *Proxy) CutAfter(n int64) { p.set(func() { p.cut, p.cutting = n, true }) }

// Hangup closes all connections.
func (p *Proxy) Hangup() {
	p.set(func() {
		for nc := range p.conns {
			_ = nc.Close()
		}
	})
}

// Close ends the proxy. It may be called again.
func (p *Proxy) Close() {
	p.set(func() { p.closed = true })
	_ = p.ln.Close()
	p.Hangup()
	p.tasks.Wait()
}

func (p *Proxy) set(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
	p.change.Broadcast()
}

func (p *Proxy) accept() {
	for {
		client, err := p.ln.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.set(func() {
			p.conns[client], p.conns[server] = struct{}{}, struct{}{}
			if p.closed {
				_, _ = client.Close(), server.Close()
			}
		})
		p.tasks.Go(func() { p.forward(server, client, false) })
		p.tasks.Go(func() { p.forward(client, server, true) })
	}
}

// forward copies one direction until it or the other one ends.
func (p *Proxy) forward(dst, src net.Conn, replies bool) {
	defer p.set(func() {
		_, _ = dst.Close(), src.Close()
		delete(p.conns, dst)
		delete(p.conns, src)
	})
	buf := make([]byte, 32<<10)
	for {
		n, err := src.Read(buf)
		pass, end := p.allow(n, replies)
		if _, werr := dst.Write(buf[:pass]); err != nil || werr != nil || end {
			return
		}
	}
}

// allow waits while the proxy holds and returns how many of n bytes may pass, and whether it is the end then.
func (p *Proxy) allow(n int, replies bool) (pass int, end bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.held && !p.closed {
		p.change.Wait()
	}
	if !replies || !p.cutting {
		return n, p.closed
	}
	if int64(n) < p.cut {
		p.cut -= int64(n)
		return n, false
	}
	p.cutting = false
	return int(p.cut), true
}
