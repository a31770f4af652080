package conn_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

// Handshakes that fail on the first connection, without a second.
func TestHandshakeFails(t *testing.T) {
	tests := []struct {
		name  string
		reply string
		close bool
		cfg   conn.Config
		op    string
		is    error  // nil = a *resp.Error
		text  string // part of the error
	}{
		{"E9 too many clients", "-ERR max number of clients reached\r\n", true, conn.Config{},
			"hello", nil, "ERR max number of clients reached"},
		{"E9 too many clients of a cluster", "-ERR max number of clients + cluster connections reached\r\n", true, conn.Config{},
			"hello", nil, "ERR max number of clients + cluster connections reached"},
		{"E9 protected mode", "-DENIED Redis is running in protected mode\r\n", true, conn.Config{},
			"hello", nil, "DENIED Redis is running in protected mode"},
		{"E9 loading", "-LOADING Redis is loading the dataset in memory\r\n", false, conn.Config{},
			"hello", nil, "LOADING Redis is loading the dataset in memory"},
		{"E17 wrong password", "-WRONGPASS invalid username-password pair or user is disabled.\r\n", false, conn.Config{Password: secret},
			"auth", conn.ErrAuth, "WRONGPASS"},
		{"no password given", "-NOAUTH HELLO must be called with the client already authenticated\r\n", false, conn.Config{},
			"auth", conn.ErrAuth, "NOAUTH"},
		{"A20 failure sent as a status", "+ERR no\r\n", false, conn.Config{},
			"hello", errAny, `unexpected reply "+ERR no"`},
		{"HELLO answered without a version of the protocol", "%1\r\n+server\r\n+redis\r\n", false, conn.Config{},
			"hello", errAny, "unexpected reply"},
		{"HELLO answered with version 4", "%1\r\n+proto\r\n:4\r\n", false, conn.Config{},
			"hello", errAny, "unexpected reply"},
		{"E3 half a reply", "%2\r\n+version\r\n", true, conn.Config{},
			"hello", io.ErrUnexpectedEOF, ""},
		{"E11 closed before the replies to SETINFO", welcome, true, conn.Config{LibInfo: true},
			"hello", io.ErrUnexpectedEOF, ""},
		{"E26 HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n", true, conn.Config{},
			"hello", conn.ErrNotRedis, "HTTP"},
		{"E26 TLS alert", "\x15\x03\x03\x00\x02\x02\x0a", true, conn.Config{},
			"hello", conn.ErrNotRedis, "TLS"},
		{"E26 SSH", "SSH-2.0-OpenSSH_9.6\r\n", true, conn.Config{},
			"hello", conn.ErrNotRedis, "SSH"},
		{"E26 mail", "220 mx ESMTP\r\n", false, conn.Config{},
			"hello", conn.ErrNotRedis, "220 mx"},
		{"password withheld", "-ERR what is " + secret + "?\r\n", false, conn.Config{Password: secret},
			"hello", nil, "withheld"},
		{"password as the code withheld", "-" + secret + "\r\n", false, conn.Config{Password: secret},
			"hello", nil, "withheld"},
		{"password cut short withheld", "-ERR args: `" + secret + "...`\r\n", false, conn.Config{Password: secret + secret},
			"hello", nil, "withheld"},
		{"password in a status withheld", "+" + secret + "\r\n", false, conn.Config{Password: secret},
			"hello", errAny, "withheld"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeredis.Start(t)
			script := s.Next().Then(func(p *fakeredis.Peer) { _, _ = p.Command() }).Reply(tt.reply)
			if tt.close {
				script.Close()
			}
			_, err := conn.Dial(t.Context(), s.Addr(), &tt.cfg)
			var dial *conn.DialError
			require.ErrorAs(t, err, &dial)
			assert.Equal(t, tt.op, dial.Op)
			assert.Equal(t, s.Addr(), dial.Addr)
			assert.Equal(t, 1, strings.Count(err.Error(), s.Addr()), "the address is named once: %v", err)
			assert.NotContains(t, err.Error(), secret)
			assert.Equal(t, 1, s.Accepted(), "dialled once")
			assert.True(t, conn.Unsent(err))
			assert.ErrorContains(t, err, tt.text)
			if tt.is == nil {
				assert.ErrorAs(t, err, new(*resp.Error))
			} else if tt.is != errAny {
				assert.ErrorIs(t, err, tt.is)
			}
		})
	}
}

var errAny = errors.New("any")

func TestHandshakeInRESP2Fails(t *testing.T) {
	tests := []struct {
		name, replies, op, text string
		auth                    bool
	}{
		{"old server, wrong password", "-ERR invalid password\r\n-NOAUTH Authentication required.\r\n",
			"auth", "invalid password", true},
		{"old server, no password wanted", "-ERR Client sent AUTH, but no password is set\r\n+PONG\r\n",
			"auth", "no password is set", true},
		{"E3 AUTH answered with something else", "$4\r\nPONG\r\n", "auth", "unexpected reply", true},
		{"A20 AUTH refused in a status", "+ERR no\r\n+PONG\r\n", "auth", "+ERR no", true},
		{"password wanted", "-NOAUTH Authentication required.\r\n", "auth", "NOAUTH", false},
		{"E3 PING answered with something else", "$-1\r\n", "ping", "unexpected reply", false},
		{"E9 loading", "-LOADING wait\r\n", "ping", "LOADING", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeredis.Start(t)
			cfg := conn.Config{}
			script := s.Next().Then(func(p *fakeredis.Peer) { _, _ = p.Command() }).Reply(noHello)
			if tt.auth {
				cfg.Password = secret
				script.Expect("AUTH", secret)
			}
			script.Expect("PING").Reply(tt.replies)
			_, err := conn.Dial(t.Context(), s.Addr(), &cfg)
			var dial *conn.DialError
			require.ErrorAs(t, err, &dial)
			assert.Equal(t, tt.op, dial.Op)
			assert.ErrorContains(t, err, tt.text)
			assert.NotContains(t, err.Error(), secret)
		})
	}
}

func TestCredentials(t *testing.T) {
	const refused = "-WRONGPASS invalid username-password pair or user is disabled.\r\n"
	rotate := func(answers ...string) (conn.Config, *int) {
		calls := new(int)
		return conn.Config{
			Password: "never used",
			Credentials: func(context.Context, string) (string, string, error) {
				*calls++
				return "app", answers[min(*calls, len(answers))-1], nil
			},
		}, calls
	}
	t.Run("E17 asked at each dial", func(t *testing.T) {
		s := fakeredis.Start(t)
		cfg, calls := rotate("one", "two")
		for _, password := range []string{"one", "two"} {
			s.Next().Expect("HELLO", "3", "AUTH", "app", password).Reply(welcome)
			c, err := conn.Dial(t.Context(), s.Addr(), &cfg)
			require.NoError(t, err)
			require.NoError(t, c.Close())
		}
		assert.Equal(t, 2, *calls)
	})
	t.Run("E17 refused, asked once more", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Expect("HELLO", "3", "AUTH", "app", "old").Reply(refused)
		s.Next().Expect("HELLO", "3", "AUTH", "app", "new").Reply(welcome)
		cfg, calls := rotate("old", "new")
		c, err := conn.Dial(t.Context(), s.Addr(), &cfg)
		require.NoError(t, err)
		require.NoError(t, c.Close())
		assert.Equal(t, 2, *calls)
	})
	t.Run("E17 refused with the same answer, given up", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Expect("HELLO", "3", "AUTH", "app", "old").Reply(refused)
		cfg, calls := rotate("old")
		_, err := conn.Dial(t.Context(), s.Addr(), &cfg)
		require.ErrorIs(t, err, conn.ErrAuth)
		assert.Equal(t, 2, *calls)
		assert.Equal(t, 1, s.Accepted())
	})
	t.Run("no answer", func(t *testing.T) {
		s := fakeredis.Start(t)
		cause := errors.New("the vault is shut")
		_, err := conn.Dial(t.Context(), s.Addr(), &conn.Config{
			Credentials: func(context.Context, string) (string, string, error) { return "", "", cause },
		})
		require.ErrorIs(t, err, cause)
		assert.Zero(t, s.Accepted())
	})
}
