package fuzz_test

import (
	"context"
	"fmt"
	"net"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/slotcast/slotcast/crc16"
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

func newFakes(t *testing.T, s *scene) *fakes {
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
