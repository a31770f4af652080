package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"

	"github.com/slotcast/slotcast/routecache"
)

// The limit is a client that knows its requests and the lengths of their replies beforehand and looks at nothing: one
// write per primary, all of them first, then the replies into one buffer, over and over.
type limit struct {
	talks []conversation
	conns []net.Conn // by conversation
	buf   []byte
}

// limitBuffer holds the reply of a primary to 3,000 pairs whole.
const limitBuffer = 256 << 10

func newLimit(ctx context.Context, m *meter, talks []conversation) (*limit, error) {
	l := &limit{talks: talks, buf: make([]byte, limitBuffer)}
	for _, t := range talks {
		nc, err := m.DialContext(ctx, "tcp", t.addr)
		if err != nil {
			l.close()
			return nil, err
		}
		l.conns = append(l.conns, nc)
		if err := speakRESP3(nc); err != nil {
			l.close()
			return nil, err
		}
	}
	return l, nil
}

// speakRESP3 makes the replies those that were recorded: a null is shorter in RESP3.
func speakRESP3(nc net.Conn) error {
	if _, err := io.WriteString(nc, "HELLO 3\r\nPING\r\n"); err != nil {
		return err
	}
	var reply []byte
	for !bytes.HasSuffix(reply, []byte("+PONG\r\n")) {
		var buf [512]byte
		n, err := nc.Read(buf[:])
		if err != nil {
			return err
		}
		reply = append(reply, buf[:n]...)
	}
	return nil
}

func (l *limit) close() {
	for _, nc := range l.conns {
		nc.Close()
	}
}

func (l *limit) batch(context.Context, []routecache.Answer) error {
	if err := l.write(); err != nil {
		return err
	}
	for i, nc := range l.conns {
		for left := len(l.talks[i].reply); left > 0; {
			n, err := nc.Read(l.buf[:min(left, len(l.buf))])
			if err != nil {
				return err
			}
			left -= n
		}
	}
	return nil
}

func (l *limit) write() error {
	for i, nc := range l.conns {
		if _, err := nc.Write(l.talks[i].request); err != nil {
			return err
		}
	}
	return nil
}

// check runs one batch and compares the replies, byte for byte, with those that this library got.
func (l *limit) check() error {
	if err := l.write(); err != nil {
		return err
	}
	for i, nc := range l.conns {
		reply := make([]byte, len(l.talks[i].reply))
		if _, err := io.ReadFull(nc, reply); err != nil {
			return err
		}
		if !bytes.Equal(reply, l.talks[i].reply) {
			return fmt.Errorf("limit: %s gave another reply than when it was recorded", l.talks[i].addr)
		}
	}
	return nil
}

// limitContender makes a contender of conversations. Connections are closed by the scene.
func limitContender(ctx context.Context, s *scene, name string, set bool, talks []conversation) *contender {
	m := new(meter)
	return &contender{client: "limit", name: name, set: set, tagged: true, meter: m, worker: func() (batchFunc, error) {
		l, err := newLimit(ctx, m, talks)
		if err != nil {
			return nil, err
		}
		s.onClose(l.close)
		return l.batch, l.check()
	}}
}
