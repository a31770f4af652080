package fakeredis

import (
	"net"

	"github.com/slotcast/slotcast/resp"
)

// Peer is the server's end of one connection.
type Peer struct {
	net.Conn
	s *Server
	r *resp.Reader

	// Data is the handler's own: the state of this connection.
	Data any
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

// Reset closes the connection so that the client sees a reset and not an orderly end.
func (p *Peer) Reset() {
	if tc, ok := p.Conn.(*net.TCPConn); ok {
		_ = tc.SetLinger(0)
	}
	_ = p.Close()
}

// serve answers commands by the handler; the replies to commands that came together leave together.
func (p *Peer) serve() {
	var out []byte
	for {
		cmd, err := p.Command()
		if err != nil {
			return
		}
		p.s.mu.Lock()
		h := p.s.handler
		p.s.mu.Unlock()
		out = append(out, h(p, cmd)...)
		if p.r.Buffered() == 0 && len(out) > 0 {
			if _, err := p.Write(out); err != nil {
				return
			}
			out = out[:0]
		}
	}
}
