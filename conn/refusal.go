package conn

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/slotcast/slotcast/resp"
)

// errHungUp marks a handshake in which the peer closed instead of answering HELLO, as some proxies do.
var errHungUp = errors.New("the peer hung up on HELLO")

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
	line := g.withhold(string(reply.Kind) + reply.Text)
	return &DialError{Addr: g.addr, Op: op, Err: fmt.Errorf("unexpected reply %.80q", line)}
}

// refused is the failure of a handshake by the server's own words: of the credentials, or a passing one such as
// "max number of clients reached", which says nothing about HELLO (fault E9).
func (g greeter) refused(op string, refusal error) error {
	line := g.withhold(refusal.Error())
	said := resp.NewError(line)
	if authRefused(line) {
		return &DialError{Addr: g.addr, Op: "auth", Err: fmt.Errorf("%w: %w", ErrAuth, said)}
	}
	return &DialError{Addr: g.addr, Op: op, Err: said}
}

// withhold returns a server's line, unless it repeats the password, or the beginning of a long one: servers before
// Redis 6 answer an unknown HELLO with its arguments, cut at 128 bytes.
func (g greeter) withhold(line string) string {
	secret := g.who.password[:min(8, len(g.who.password))]
	if secret == "" || !strings.Contains(line, secret) {
		return line
	}
	first, _, _ := strings.Cut(line, " ")
	if strings.Contains(first, secret) {
		first = "ERR"
	}
	return first + " (the rest is withheld: it repeats the password)"
}

// helloUnknown reports whether a server refused HELLO because it does not know it, or RESP3. Fault E10.
func helloUnknown(refusal error) bool {
	line := strings.ToLower(refusal.Error())
	return code(refusal) == "NOPROTO" || strings.Contains(line, "unknown command") || strings.Contains(line, "unsupported command")
}

// authRefused reports whether an error line is about credentials; Redis before 6 has no code for them.
func authRefused(line string) bool {
	for _, p := range []string{"WRONGPASS", "NOAUTH", "ERR AUTH ", "ERR Client sent AUTH", "ERR invalid password",
		"ERR wrong number of arguments for 'auth'"} {
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

// hungUp marks err, if it is the end of the stream, as a failure that a handshake without HELLO may not have.
func (g greeter) hungUp(err error) error {
	var fail *DialError
	if endOfStream(err) && errors.As(err, &fail) {
		fail.Err = fmt.Errorf("%w: %w", errHungUp, fail.Err)
	}
	return err
}

// endOfStream reports whether err says that the peer has closed or reset the connection.
func endOfStream(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
