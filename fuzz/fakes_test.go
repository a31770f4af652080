package fuzz_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
)

// fakes are the nodes of a scripted cluster, reached over connections in memory.
type fakes struct {
	t     *testing.T
	nodes []*fake
	tasks sync.WaitGroup // of the connections

	mu       sync.Mutex
	script   *script
	owner    [crc16.SlotCount]uint8
	sent     map[string]int  // how often each key was sent
	kept     map[string]bool // the keys stored
	sessions map[*session]bool
}

func newFakes(t *testing.T, s scene) *fakes {
	f := &fakes{t: t, script: new(script), sessions: make(map[*session]bool)}
	for slot := range f.owner {
		f.owner[slot] = uint8(slot * s.nodes / crc16.SlotCount)
	}
	for i := range s.nodes {
		f.nodes = append(f.nodes, &fake{fakes: f, index: i})
	}
	f.count()
	f.forget()
	return f
}

// follow makes the nodes follow a script from now on.
func (f *fakes) follow(text []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.script = newScript(text)
}

func (f *fakes) next(node, subject int) step {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.script.next(node, subject)
}

// count returns how often each key was sent since it was called last.
func (f *fakes) count() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	sent := f.sent
	f.sent = make(map[string]int)
	return sent
}

// forget forgets what is stored.
func (f *fakes) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kept = make(map[string]bool)
}

func (f *fakes) stored(key string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept[key]
}

// babble waits until no reply is owed any more, and then says something on every connection.
func (f *fakes) babble() {
	time.Sleep(time.Second)
	f.mu.Lock()
	defer f.mu.Unlock()
	for s := range f.sessions {
		f.tasks.Go(func() { s.write([]byte("$3\r\nfoo\r\n")) }) // takes until it is read, or the end
	}
}

func (f *fakes) addrs() (addrs []string) {
	for _, n := range f.nodes {
		addrs = append(addrs, n.addr())
	}
	return addrs
}

func (f *fakes) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	for _, n := range f.nodes {
		if n.addr() != addr {
			continue
		}
		s := f.next(n.index, aDial)
		switch s.do {
		case dialRefused:
			return nil, syscall.ECONNREFUSED
		case dialHangs:
			<-ctx.Done()
			return nil, ctx.Err()
		}
		client, server := net.Pipe()
		n.tasks.Go(func() { n.serve(server, s) })
		return client, nil
	}
	return nil, fmt.Errorf("nobody is at %s: %w", addr, syscall.ECONNREFUSED)
}

// fake is one node.
type fake struct {
	*fakes
	index    int
	scripted bool // under the lock of fakes
}

func (n *fake) addr() string { return fmt.Sprintf("127.0.0.1:%d", n.port()) }
func (n *fake) port() int    { return 7000 + n.index }

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
