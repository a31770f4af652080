package fuzz_test

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/slotcast/slotcast/resp"
)

// serverReaders are reused from conversation to conversation: their buffers are most of its cost.
var serverReaders = sync.Pool{New: func() any { return resp.NewReader(nil, resp.Limits{}) }}

// serve answers the commands of one connection. The replies to commands that came together leave together.
func (n *fake) serve(nc net.Conn, greeting step) {
	defer nc.Close()
	r := serverReaders.Get().(*resp.Reader)
	defer serverReaders.Put(r)
	r.Reset(nc)
	s := &session{fake: n, nc: nc, greeting: greeting, writing: make(chan struct{}, 1)}
	n.mu.Lock()
	n.sessions[s] = true
	n.mu.Unlock()
	defer func() {
		n.mu.Lock()
		delete(n.sessions, s)
		n.mu.Unlock()
	}()
	for {
		v, err := r.Value()
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrClosedPipe) && !errors.Is(err, io.ErrUnexpectedEOF) {
				n.t.Errorf("node %d is sent what is no command: %v", n.index, err)
			}
			return
		}
		cmd := make([]string, len(v.Elems))
		for i, e := range v.Elems {
			cmd[i] = e.Text
		}
		if !s.answer(cmd) || r.Buffered() == 0 && !s.flush() {
			return
		}
	}
}

// session is one connection to a node.
type session struct {
	*fake
	nc       net.Conn
	writing  chan struct{} // holds the one who writes; the bubble's time does not pass for those who wait for a mutex
	greeting step
	out      []byte // replies not yet written
	asking   bool   // the command was ASKING
	asked    bool   // the command before was
}

func (s *session) flush() bool {
	out := s.out
	s.out = nil
	return s.write(out)
}

func (s *session) write(p []byte) bool {
	s.writing <- struct{}{}
	_, err := s.nc.Write(p)
	<-s.writing
	return err == nil
}

// wait writes what there is and lets time pass.
func (s *session) wait(d time.Duration) bool {
	if !s.flush() {
		return false
	}
	time.Sleep(d)
	return true
}

// rest is silent until the client hangs up.
func (s *session) rest() bool {
	if s.flush() {
		_, _ = io.Copy(io.Discard, s.nc)
	}
	return false
}
