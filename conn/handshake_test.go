package conn_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
)

const (
	secret  = "s3cr3t-pass"
	welcome = "%2\r\n+version\r\n$5\r\n8.0.6\r\n+proto\r\n:3\r\n"
	flatV2  = "*6\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n6.2.14\r\n$5\r\nproto\r\n:2\r\n"
	noProto = "-NOPROTO unsupported protocol version\r\n"
	noHello = "-ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, `default`, `s3cr3t-pass`, \r\n"
)

// Handshakes that end well: what is sent, what is answered, what is spoken then. Each conversation goes on with a GET,
// whose reply must be its own.
func TestHandshake(t *testing.T) {
	tests := []struct {
		name    string
		cfg     conn.Config
		script  func(s *fakeredis.Server) *fakeredis.Script // up to the end of the handshake, on the last connection
		proto   int
		version string
	}{
		{
			"no options", conn.Config{},
			func(s *fakeredis.Server) *fakeredis.Script { return s.Next().Expect("HELLO", "3").Reply(welcome) },
			3, "8.0.6",
		},
		{
			"a password alone is of the user default", conn.Config{Password: secret},
			func(s *fakeredis.Server) *fakeredis.Script {
				return s.Next().Expect("HELLO", "3", "AUTH", "default", secret).Reply(welcome)
			},
			3, "8.0.6",
		},
		{
			"E12 all in HELLO, so that any batch comes after authentication",
			conn.Config{Username: "u", Password: secret, ClientName: "me"},
			func(s *fakeredis.Server) *fakeredis.Script {
				return s.Next().Expect("HELLO", "3", "AUTH", "u", secret, "SETNAME", "me").Reply(welcome)
			},
			3, "8.0.6",
		},
		{
			"E11 CLIENT SETINFO refused", conn.Config{LibInfo: true},
			func(s *fakeredis.Server) *fakeredis.Script {
				return s.Next().Expect("HELLO", "3").Reply(welcome).
					Then(expectSetinfo(t, "LIB-NAME")).Reply("-ERR unknown subcommand 'setinfo'\r\n").
					Then(expectSetinfo(t, "LIB-VER")).Reply("-NOPERM no\r\n")
			},
			3, "8.0.6",
		},
		{
			"A11 push behind the reply to HELLO", conn.Config{},
			func(s *fakeredis.Server) *fakeredis.Script {
				return s.Next().Expect("HELLO", "3").Reply(welcome + ">2\r\n$10\r\ninvalidate\r\n_\r\n")
			},
			3, "8.0.6",
		},
		{
			"A11 push before the reply to HELLO", conn.Config{},
			func(s *fakeredis.Server) *fakeredis.Script {
				return s.Next().Expect("HELLO", "3").Reply(">1\r\n+hi\r\n" + welcome)
			},
			3, "8.0.6",
		},
		{
			"E10 HELLO answered in RESP2", conn.Config{},
			func(s *fakeredis.Server) *fakeredis.Script { return s.Next().Expect("HELLO", "3").Reply(flatV2) },
			2, "6.2.14",
		},
		{
			"E10 HELLO unknown: same connection, RESP2", conn.Config{Password: secret, ClientName: "me"},
			func(s *fakeredis.Server) *fakeredis.Script {
				return s.Next().Expect("HELLO", "3", "AUTH", "default", secret, "SETNAME", "me").Reply(noHello).
					Expect("AUTH", secret).Expect("CLIENT", "SETNAME", "me").Expect("PING").
					Reply("+OK\r\n-ERR no names here\r\n+PONG\r\n")
			},
			2, "",
		},
		{
			"E10 NOPROTO: same connection, RESP2", conn.Config{Username: "u", Password: secret},
			func(s *fakeredis.Server) *fakeredis.Script {
				return s.Next().Expect("HELLO", "3", "AUTH", "u", secret).Reply(noProto).
					Expect("AUTH", "u", secret).Expect("PING").Reply("+OK\r\n+PONG\r\n")
			},
			2, "",
		},
		{
			"E10 HELLO unknown with SETINFO behind it", conn.Config{LibInfo: true},
			func(s *fakeredis.Server) *fakeredis.Script {
				return s.Next().Expect("HELLO", "3").Then(expectSetinfo(t, "LIB-NAME")).Then(expectSetinfo(t, "LIB-VER")).
					Reply(noHello + "-ERR a\r\n-ERR b\r\n").Expect("PING").Reply("+PONG\r\n")
			},
			2, "",
		},
		{
			"E10 the peer closes on HELLO: dialled once more without", conn.Config{},
			func(s *fakeredis.Server) *fakeredis.Script {
				s.Next().Expect("HELLO", "3").Close()
				return s.Next().Expect("PING").Reply("+PONG\r\n")
			},
			2, "",
		},
		{
			"E10 the peer resets on HELLO: dialled once more without", conn.Config{Password: secret},
			func(s *fakeredis.Server) *fakeredis.Script {
				s.Next().Expect("HELLO", "3", "AUTH", "default", secret).Reset()
				return s.Next().Expect("AUTH", secret).Expect("PING").Reply("+OK\r\n+PONG\r\n")
			},
			2, "",
		},
		{
			"E10 the peer refuses HELLO, then closes: dialled once more without", conn.Config{},
			func(s *fakeredis.Server) *fakeredis.Script {
				s.Next().Expect("HELLO", "3").Reply(noHello).Close()
				return s.Next().Expect("PING").Reply("+PONG\r\n")
			},
			2, "",
		},
		{
			"E10 the peer refuses HELLO, then closes before the replies to SETINFO", conn.Config{LibInfo: true},
			func(s *fakeredis.Server) *fakeredis.Script {
				s.Next().Expect("HELLO", "3").Then(expectSetinfo(t, "LIB-NAME")).Then(expectSetinfo(t, "LIB-VER")).
					Reply(noHello).Close()
				return s.Next().Expect("PING").Reply("+PONG\r\n")
			},
			2, "",
		},
		{
			"a user who may not PING", conn.Config{},
			func(s *fakeredis.Server) *fakeredis.Script {
				return s.Next().Expect("HELLO", "3").Reply(noProto).Expect("PING").Reply("-NOPERM no\r\n")
			},
			2, "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := fakeredis.Start(t)
			tt.script(s).Expect("GET", "a").Reply("$1\r\nx\r\n")
			c, err := conn.Dial(t.Context(), s.Addr(), &tt.cfg)
			require.NoError(t, err)
			defer c.Close()
			assert.Equal(t, tt.proto, c.Proto())
			assert.Equal(t, tt.version, c.Version())
			assert.Zero(t, c.Pending())
			v, err := c.Do(t.Context(), "GET", "a")
			require.NoError(t, err)
			assert.Equal(t, "x", v.Text)
		})
	}
}

func expectSetinfo(t *testing.T, what string) func(*fakeredis.Peer) {
	return func(p *fakeredis.Peer) {
		cmd, err := p.Command()
		assert.NoError(t, err)
		if assert.Len(t, cmd, 4) {
			assert.Equal(t, []string{"CLIENT", "SETINFO", what}, cmd[:3])
			assert.NotContains(t, cmd[3], " ")
		}
	}
}

func TestHelloIsForgotten(t *testing.T) {
	t.Run("E10 a pool remembers that HELLO is unknown", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Expect("HELLO", "3").Close()
		s.Next().Expect("PING").Reply("+PONG\r\n").Serve()
		s.Next().Expect("PING").Reply("+PONG\r\n").Serve()
		p := conn.NewPool(s.Addr(), nil)
		defer p.Close()
		a, err := p.Get(t.Context())
		require.NoError(t, err)
		defer p.Put(a)
		b, err := p.Get(t.Context())
		require.NoError(t, err)
		defer p.Put(b)
		assert.Equal(t, 2, b.Proto())
	})
	t.Run("E9 a full server says nothing about HELLO", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Reply("-ERR max number of clients reached\r\n").Close()
		s.Next().Expect("HELLO", "3").Reply(welcome)
		p := conn.NewPool(s.Addr(), nil)
		defer p.Close()
		_, err := p.Get(t.Context())
		require.Error(t, err)
		c, err := p.Get(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 3, c.Proto())
		p.Put(c)
	})
}
