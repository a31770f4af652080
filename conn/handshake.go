package conn

import (
	"context"
	"errors"

	"github.com/slotcast/slotcast/resp"
)

// greeter does the handshake of one connection.
type greeter struct {
	*Conn
	cfg *Config
	who credentials
}

// handshake makes a fresh connection fit for use, or says why not in a *DialError. Every reply is read and judged, one
// by one (fault E3), so that the first conversation starts with nothing owed.
func (c *Conn) handshake(cfg *Config, who credentials, hello bool) error {
	g := greeter{c, cfg, who}
	if !hello {
		return g.plain()
	}
	supported, err := g.hello()
	if err != nil || supported {
		return err
	}
	return g.hungUp(g.plain())
}

// hello sends all of the RESP3 handshake in one write. It reports false where the server knows no HELLO, or no RESP3.
func (g greeter) hello() (supported bool, err error) {
	args := []string{"HELLO", "3"}
	if g.who.password != "" {
		args = append(args, "AUTH", g.who.user(), g.who.password)
	}
	if g.cfg.ClientName != "" {
		args = append(args, "SETNAME", g.cfg.ClientName)
	}
	g.queue(args...)
	if g.cfg.LibInfo {
		g.queue("CLIENT", "SETINFO", "LIB-NAME", "slotcast")
		g.queue("CLIENT", "SETINFO", "LIB-VER", libVersion())
	}
	reply, err := g.answer("hello")
	if err != nil {
		if g.bytesIn == 0 {
			err = g.hungUp(err)
		}
		return false, err
	}
	refusal := reply.Err()
	switch {
	case refusal == nil:
		if err := g.welcome(reply); err != nil {
			return false, err
		}
	case helloUnknown(refusal) || code(refusal) == "NOAUTH" && g.who.password != "":
	default:
		return false, g.refused("hello", refusal)
	}
	// What the server thinks of SETINFO does not matter (fault E11); that it answers does.
	for g.pending > 0 {
		if _, err := g.answer("hello"); err != nil {
			if refusal != nil {
				err = g.hungUp(err)
			}
			return false, err
		}
	}
	return refusal == nil, nil
}

// welcome reads the reply to HELLO: a map, or a flat array in RESP2.
func (g greeter) welcome(reply resp.Value) error {
	proto, found := reply.Get("proto")
	version, err := proto.AsInt()
	if !found || err != nil || version != 2 && version != 3 {
		return g.unexpected("hello", reply)
	}
	g.proto = int(version)
	if v, ok := reply.Get("version"); ok {
		g.version, _ = v.AsText()
	}
	return nil
}

// plain is the handshake of servers that know no HELLO. The PING shows that there is a server at all.
func (g greeter) plain() error {
	g.proto = 2
	auth, named := g.who.password != "", g.cfg.ClientName != ""
	if auth && g.who.user() == "default" {
		g.queue("AUTH", g.who.password) // servers before Redis 6 take one argument
	} else if auth {
		g.queue("AUTH", g.who.username, g.who.password)
	}
	if named {
		g.queue("CLIENT", "SETNAME", g.cfg.ClientName)
	}
	g.queue("PING")
	if auth {
		reply, err := g.answer("auth")
		if err != nil {
			return err
		}
		if err := g.expect("auth", reply, "OK"); err != nil {
			return err
		}
	}
	if named {
		if _, err := g.answer("hello"); err != nil {
			return err
		}
	}
	reply, err := g.answer("ping")
	if err != nil || code(reply.Err()) == "NOPERM" { // a user who may not PING is a user
		return err
	}
	return g.expect("ping", reply, "PONG")
}

func (g greeter) queue(args ...string) { g.Commit(resp.AppendCommand(g.Out(), args...), 1) }

// answer sends what is queued, if anything is, and reads one reply. Error replies are values.
func (g greeter) answer(op string) (resp.Value, error) {
	v, err := g.converse()
	if err == nil {
		return v, nil
	}
	var ioErr *IOError
	if errors.As(err, &ioErr) {
		err = ioErr.Err
	}
	var said *resp.Error
	if errors.As(err, &said) {
		return v, g.refused(op, said)
	}
	return v, &DialError{Addr: g.addr, Op: op, Err: g.explain(err)}
}

func (g greeter) converse() (resp.Value, error) {
	if len(g.out) > 0 {
		if err := g.flushAll(context.Background()); err != nil {
			return resp.Value{}, err
		}
	}
	return g.read(context.Background())
}
