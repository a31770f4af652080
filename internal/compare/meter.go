package main

import (
	"context"
	"net"
	"sync/atomic"
)

// A meter counts what goes over the connections that were dialled through it.
type meter struct {
	writes, reads, bytesOut, bytesIn atomic.Int64
}

// counter tells what has gone over the connections of a contender.
type counter interface{ now() traffic }

// traffic is the state of a counter.
type traffic struct{ writes, reads, bytesOut, bytesIn int64 }

func (m *meter) now() traffic {
	return traffic{m.writes.Load(), m.reads.Load(), m.bytesOut.Load(), m.bytesIn.Load()}
}

func (t traffic) since(before traffic) traffic {
	return traffic{t.writes - before.writes, t.reads - before.reads, t.bytesOut - before.bytesOut, t.bytesIn - before.bytesIn}
}

func (t traffic) plus(o traffic) traffic {
	return traffic{t.writes + o.writes, t.reads + o.reads, t.bytesOut + o.bytesOut, t.bytesIn + o.bytesIn}
}

// DialContext is that of net.Dialer.
func (m *meter) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	nc, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &meteredConn{nc.(*net.TCPConn), m}, nil
}

// meteredConn is a TCP connection in every other respect: clients may look at its socket.
type meteredConn struct {
	*net.TCPConn
	meter *meter
}

func (c *meteredConn) Read(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	c.meter.reads.Add(1)
	c.meter.bytesIn.Add(int64(n))
	return n, err
}

func (c *meteredConn) Write(b []byte) (int, error) {
	n, err := c.TCPConn.Write(b)
	c.meter.writes.Add(1)
	c.meter.bytesOut.Add(int64(n))
	return n, err
}
