package main

import (
	"bytes"
	"context"
	"net"
	"sync"
	"time"

	"github.com/slotcast/slotcast/routecache"
)

type dialFunc = func(ctx context.Context, network, addr string) (net.Conn, error)

// A conversation is what this library wrote to one primary in a batch, and what that primary answered.
type conversation struct {
	addr    string
	request []byte
	reply   []byte
}

// A recorder keeps what goes over the connections that were dialled through it while it is on.
type recorder struct {
	mu    sync.Mutex
	on    bool
	conns []*recordedConn
}

func (r *recorder) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	nc, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	c := &recordedConn{TCPConn: nc.(*net.TCPConn), recorder: r, addr: addr}
	r.mu.Lock()
	r.conns = append(r.conns, c)
	r.mu.Unlock()
	return c, nil
}

// record returns the conversations of f.
func (r *recorder) record(f func() error) ([]conversation, error) {
	r.turn(true)
	defer r.turn(false)
	if err := f(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []conversation
	for _, c := range r.conns {
		if c.out.Len() > 0 {
			list = append(list, conversation{c.addr, bytes.Clone(c.out.Bytes()), bytes.Clone(c.in.Bytes())})
		}
	}
	return list, nil
}

func (r *recorder) turn(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.on = on
	for _, c := range r.conns {
		c.out.Reset()
		c.in.Reset()
	}
}

type recordedConn struct {
	*net.TCPConn
	recorder *recorder
	addr     string
	out, in  bytes.Buffer
}

func (c *recordedConn) Read(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	c.keep(&c.in, b[:n])
	return n, err
}

func (c *recordedConn) Write(b []byte) (int, error) {
	n, err := c.TCPConn.Write(b)
	c.keep(&c.out, b[:n])
	return n, err
}

func (c *recordedConn) keep(dst *bytes.Buffer, b []byte) {
	c.recorder.mu.Lock()
	defer c.recorder.mu.Unlock()
	if c.recorder.on {
		dst.Write(b)
	}
}

// recordBatches runs a Get and a Set of this library twice, since only the first says SCRIPT LOAD, and returns the
// conversations of the second.
func recordBatches(ctx context.Context, addrs []string, tags int, get, set *question) (gets, sets []conversation, err error) {
	var r recorder
	cache, err := openCache(ctx, addrs, tags, 0, r.dial)
	if err != nil {
		return nil, nil, err
	}
	defer cache.Close()
	out := make([]routecache.Answer, len(get.pairs))
	for range 2 {
		gets, err = r.record(func() error { return cache.Get(ctx, get.pairs, out) })
		if err != nil {
			return nil, nil, err
		}
		sets, err = r.record(func() error { return cache.Set(ctx, set.pairs, set.estimates, ttlSeconds*time.Second) })
		if err != nil {
			return nil, nil, err
		}
	}
	return gets, sets, nil
}
