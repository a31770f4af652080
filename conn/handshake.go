package conn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"

	"github.com/slotcast/slotcast/resp"
)

// errHungUp marks a handshake in which the peer closed instead of answering HELLO, as some proxies do.
var errHungUp = errors.New("the peer hung up on HELLO")

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
	return g.plain()
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
	reply, err := g.answer("hello", true)
	if err != nil {
		if hungUp(err) && g.bytesIn == 0 {
			err = &DialError{Addr: g.addr, Op: "hello", Err: fmt.Errorf("%w: %w", errHungUp, bare(err))}
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
		if _, err := g.answer("hello", false); err != nil {
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
		reply, err := g.answer("auth", true)
		if err != nil {
			return err
		}
		if err := g.expect("auth", reply, "OK"); err != nil {
			return err
		}
	}
	if named {
		if _, err := g.answer("hello", true); err != nil {
			return err
		}
	}
	reply, err := g.answer("ping", true)
	if err != nil || code(reply.Err()) == "NOPERM" { // a user who may not PING is a user
		return err
	}
	return g.expect("ping", reply, "PONG")
}

func (g greeter) queue(args ...string) { g.Commit(resp.AppendCommand(g.Out(), args...), 1) }

// answer sends what is queued, if anything is, and reads one reply. Error replies are values.
func (g greeter) answer(op string, judged bool) (resp.Value, error) {
	v, err := g.converse()
	if err == nil {
		return v, nil
	}
	var ioErr *IOError
	if errors.As(err, &ioErr) {
		err = ioErr.Err
	}
	var said *resp.Error
	if errors.As(err, &said) && judged {
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

// expect judges a reply that must be one simple string: a failure sent as "+ERR" is no success. Fault A20.
func (g greeter) expect(op string, reply resp.Value, want string) error {
	if err := reply.Err(); err != nil {
		return g.refused(op, err)
	}
	if got, ok := reply.AsText(); !ok || got != want {
		return g.unexpected(op, reply)
	}
	return nil
}

func (g greeter) unexpected(op string, reply resp.Value) error {
	return &DialError{Addr: g.addr, Op: op, Err: fmt.Errorf("unexpected reply %s", g.withhold(fmt.Sprintf("%c%.80s", reply.Kind, reply.Text)))}
}

// refused is the failure of a handshake by the server's own words: of the credentials, or a passing one such as
// "max number of clients reached", which says nothing about HELLO (fault E9).
func (g greeter) refused(op string, refusal error) error {
	line := g.withhold(refusal.Error())
	said := resp.NewError(line)
	if op == "auth" || authRefused(line) {
		return &DialError{Addr: g.addr, Op: "auth", Err: fmt.Errorf("%w: %w", ErrAuth, said)}
	}
	return &DialError{Addr: g.addr, Op: op, Err: said}
}

// withhold returns a server's line, unless it repeats the password: servers before Redis 6 answer an unknown HELLO with
// its arguments.
func (g greeter) withhold(line string) string {
	if g.who.password == "" || !strings.Contains(line, g.who.password) {
		return line
	}
	first, _, _ := strings.Cut(line, " ")
	if strings.Contains(first, g.who.password) {
		first = "ERR"
	}
	return first + " (the rest is withheld: it repeats the password)"
}

func (w credentials) user() string {
	if w.username == "" {
		return "default"
	}
	return w.username
}

// helloUnknown reports whether a server refused HELLO because it does not know it, or RESP3. Fault E10.
func helloUnknown(refusal error) bool {
	line := strings.ToLower(refusal.Error())
	return code(refusal) == "NOPROTO" || strings.Contains(line, "unknown command") || strings.Contains(line, "unsupported command")
}

// authRefused reports whether an error line is about credentials; Redis before 6 has no code for them.
func authRefused(line string) bool {
	for _, p := range []string{"WRONGPASS", "NOAUTH", "ERR invalid password", "ERR AUTH ", "ERR Client sent AUTH"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

func code(err error) string {
	var e *resp.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return ""
}

func hungUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// libVersion is the version of this module in the running program.
var libVersion = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == "github.com/slotcast/slotcast" && m.Version != "" {
				return m.Version
			}
		}
	}
	return "unknown"
})
