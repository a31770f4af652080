package fakeredis

import (
	"net"

	"github.com/slotcast/slotcast/resp"
)

// Peer is the server's end of one connection.
type Peer struct {
	net.Conn
	handler func() Handler
	closed  func()
	r       *resp.Reader
	out     []byte // replies not yet sent

	// Data is the handler's own: the state of this connection.
	Data any
}

func newPeer(nc net.Conn, handler func() Handler, closed func()) *Peer {
	return &Peer{Conn: nc, handler: handler, closed: closed, r: resp.NewReader(nc, resp.Limits{})}
}

// Pipe is a connection in memory to a peer that serves h until the connection is closed. It needs no listener, so it
// fits into a testing/synctest bubble.
func Pipe(h Handler) net.Conn {
	client, server := net.Pipe()
	go func() {
		defer server.Close()
		newPeer(server, func() Handler { return h }, func() {}).serve()
	}()
	return client
}

// Command reads one command.
func (p *Peer) Command() ([]string, error) {
	n, err := p.r.Array()
	if err != nil {
		return nil, err
	}
	cmd := make([]string, n)
	for i := range cmd {
		if cmd[i], _, err = p.r.BulkString(); err != nil {
			return nil, err
		}
	}
	return cmd, nil
}

// Close closes the connection.
func (p *Peer) Close() error {
	p.closed()
	return p.Conn.Close()
}

// Reset closes the connection so that the client sees a reset and not an orderly end.
func (p *Peer) Reset() {
	if tc, ok := p.Conn.(interface{ SetLinger(int) error }); ok {
		_ = tc.SetLinger(0)
	}
	_ = p.Close()
}

// serve answers commands by the handler; the replies to commands that came together leave together.
func (p *Peer) serve() {
	for {
		cmd, err := p.Command()
		if err != nil {
			return
		}
		p.out = append(p.out, p.handler()(p, cmd)...)
		if p.r.Buffered() == 0 && len(p.out) > 0 {
			if _, err := p.Write(p.out); err != nil {
				return
			}
			p.out = p.out[:0]
		}
	}
}

// Die, called by a handler, sends the replies to the commands before this one and then the given bytes, and closes the
// connection.
func (p *Peer) Die(last string) {
	_, _ = p.Write(append(p.out, last...))
	_ = p.Close()
}
