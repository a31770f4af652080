package main

import (
	"context"
	"net"
	"slices"
	"sync"
	"syscall"
)

// wires are the client's connections, all of which are dialled here, and counted. Every other one can be reset in the
// middle of a reply; those between are the plain TCP connections that users have, which the client reads and writes in a
// way of its own. Safe for concurrent use.
type wires struct {
	mu      sync.Mutex
	dialled int
	open    int            // of those that can be reset
	plain   []*net.TCPConn // those that cannot, the closed ones until they are counted
	cuts    int            // reads that are still to be cut short
	done    chan struct{}  // closed when there are none left
}

// wire is one that can be reset. It is a *net.TCPConn to whom wants to look at its socket.
type wire struct {
	*net.TCPConn
	wires *wires

	mu          sync.Mutex
	cut, closed bool
}

func (ws *wires) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	nc, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	tc := nc.(*net.TCPConn)
	if ws.dialled++; ws.dialled%2 == 0 {
		ws.dropClosed()
		ws.plain = append(ws.plain, tc)
		return tc, nil
	}
	ws.open++
	return &wire{TCPConn: tc, wires: ws}, nil
}

// opened returns how many connections are open.
func (ws *wires) opened() int {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.dropClosed()
	return ws.open + len(ws.plain)
}

// dropClosed forgets the plain connections that have been closed. The lock is held.
func (ws *wires) dropClosed() {
	ws.plain = slices.DeleteFunc(ws.plain, func(tc *net.TCPConn) bool {
		raw, err := tc.SyscallConn()
		return err != nil || raw.Control(func(uintptr) {}) != nil
	})
}

// reset lets each of the next n reads of two bytes or more, on connections that can be reset, be its connection's last: it
// gets half of what has arrived, and then the connection is reset. The channel is closed after the last.
func (ws *wires) reset(n int) <-chan struct{} {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.cuts, ws.done = n, make(chan struct{})
	return ws.done
}

// take reports whether a read is to be cut short.
func (ws *wires) take() bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.cuts == 0 {
		return false
	}
	if ws.cuts--; ws.cuts == 0 {
		close(ws.done)
	}
	return true
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.TCPConn.Read(p)
	if w.wasCut() {
		return 0, &net.OpError{Op: "read", Net: "tcp", Addr: w.RemoteAddr(), Err: syscall.ECONNRESET}
	}
	if n < 2 || !w.wires.take() {
		return n, err
	}
	w.mu.Lock()
	w.cut = true
	w.mu.Unlock()
	_ = w.SetLinger(0) // the server gets a reset too
	_ = w.TCPConn.Close()
	return n / 2, nil
}

func (w *wire) wasCut() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cut
}

// Close closes the connection, also one that was reset.
func (w *wire) Close() error {
	w.mu.Lock()
	again := w.closed
	w.closed = true
	cut := w.cut
	w.mu.Unlock()
	if !again {
		w.wires.mu.Lock()
		w.wires.open--
		w.wires.mu.Unlock()
	}
	if cut {
		return nil
	}
	return w.TCPConn.Close()
}
