package conn_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
)

// certificate makes one for a name and for an address, and the client's trust in it.
func certificate(t *testing.T, name string, ips ...net.IP) (server, client *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{name}, IPAddresses: ips,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, &tls.Config{RootCAs: pool}
}

var loopback = net.IPv4(127, 0, 0, 1)

func TestTLSNames(t *testing.T) {
	tests := []struct {
		name string
		cert []net.IP
		cfg  func(*conn.Config)
		ok   bool
	}{
		{"E16 the host that is dialled", []net.IP{loopback}, func(*conn.Config) {}, true},
		{"E16 an address that is not in the certificate", nil, func(*conn.Config) {}, false},
		{"E16 a name for the address", nil, func(c *conn.Config) {
			c.ServerName = func(addr string) string {
				if strings.HasPrefix(addr, "127.0.0.1:") {
					return "node-1.example"
				}
				return ""
			}
		}, true},
		{"E16 one name for all, if asked for", nil, func(c *conn.Config) { c.TLS.ServerName = "node-1.example" }, true},
		{"E16 another name", nil, func(c *conn.Config) { c.TLS.ServerName = "node-2.example" }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server, client := certificate(t, "node-1.example", tt.cert...)
			s := fakeredis.StartTLS(t, server)
			cfg := &conn.Config{TLS: client}
			tt.cfg(cfg)
			before := client.ServerName
			c, err := conn.Dial(t.Context(), s.Addr(), cfg)
			assert.Equal(t, before, client.ServerName, "the caller's configuration is not touched")
			if !tt.ok {
				var dial *conn.DialError
				require.ErrorAs(t, err, &dial)
				assert.Equal(t, "tls", dial.Op)
				return
			}
			require.NoError(t, err)
			defer c.Close()
			assert.True(t, c.TLS())
			_, err = c.Do(t.Context(), "PING")
			require.NoError(t, err)
		})
	}
}

func TestTLSMismatch(t *testing.T) {
	server, client := certificate(t, "x", loopback)
	t.Run("E26 TLS to a server that greets in plain text", func(t *testing.T) {
		s := fakeredis.Start(t)
		s.Next().Reply("-ERR max number of clients reached\r\n").Drain()
		_, err := conn.Dial(t.Context(), s.Addr(), &conn.Config{TLS: client})
		require.ErrorIs(t, err, conn.ErrNotRedis)
		assert.ErrorContains(t, err, "no TLS")
	})
	t.Run("E26 plain text to TLS", func(t *testing.T) {
		s := fakeredis.StartTLS(t, server)
		_, err := conn.Dial(t.Context(), s.Addr(), nil)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		assert.ErrorContains(t, err, "does the peer expect TLS?")
	})
}

func TestTLSPool(t *testing.T) {
	server, client := certificate(t, "x", loopback)
	start := func(t *testing.T) (*fakeredis.Server, *conn.Pool) {
		s := fakeredis.StartTLS(t, server)
		return s, newPool(t, s, &conn.Config{TLS: client})
	}
	t.Run("reused, session tickets and all", func(t *testing.T) {
		s, p := start(t)
		for range 5 {
			c := checkout(t, p)
			_, err := c.Do(t.Context(), "PING")
			require.NoError(t, err)
			p.Put(c)
		}
		assert.Equal(t, 1, s.Accepted())
	})
	tests := []struct {
		name, extra string
		kept        bool
	}{
		{"A11 a push while idle", ">1\r\n+x\r\n", true},
		{"A23 a late reply while idle", "+x\r\n", false},
		{"A23 half a push while idle", ">1\r\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, p := start(t)
			done := make(chan struct{})
			script := s.Next().Hello()
			c := checkout(t, p)
			p.Put(c)
			script.Reply(tt.extra).Signal(done).Serve()
			<-done
			next := checkout(t, p)
			assert.Equal(t, tt.kept, c == next)
			_, err := next.Do(t.Context(), "PING")
			require.NoError(t, err)
			p.Put(next)
		})
		t.Run(tt.name+", held by the TLS layer", func(t *testing.T) {
			s, p := start(t)
			script := s.Next().Hello().Expect("GET", "a")
			c := checkout(t, p)
			send(t, c, get("a"))
			// The reply and the rest are two records that arrive together; the reader is given the first.
			script.Then(func(peer *fakeredis.Peer) {
				_, _ = peer.Write([]byte("$1\r\nx\r\n"))
				_, _ = peer.Write([]byte(tt.extra))
			}).Serve()
			c.SetDeadline(time.Now().Add(time.Minute))
			_, err := c.Reader().Bulk()
			require.NoError(t, err)
			c.Received()
			p.Put(c)
			next := checkout(t, p)
			if next == c && !tt.kept {
				// The second record was late: then it is the next look that finds it.
				p.Put(next)
				eventually(t, func() bool {
					next = checkout(t, p)
					defer p.Put(next)
					return next != c
				}, "the connection is dropped in the end")
				return
			}
			assert.Equal(t, tt.kept, c == next)
			p.Put(next)
		})
	}
	t.Run("E14 closed while idle", func(t *testing.T) {
		s, p := start(t)
		done := make(chan struct{})
		script := s.Next().Hello()
		c := checkout(t, p)
		p.Put(c)
		script.Close().Signal(done)
		<-done
		next := checkout(t, p)
		assert.NotSame(t, c, next)
		p.Put(next)
	})
}

func TestTLSDeadlines(t *testing.T) {
	server, client := certificate(t, "x", loopback)
	t.Run("reads go on after a slice", func(t *testing.T) {
		s := fakeredis.StartTLS(t, server)
		script := s.Next().Hello().Expect("GET", "a")
		c := dial(t, s, &conn.Config{TLS: client})
		c.SetLimit(time.Now().Add(time.Minute))
		send(t, c, get("a"))
		for range 3 {
			c.SetDeadline(time.Now().Add(time.Millisecond))
			_, err := c.Reader().Bulk()
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		}
		script.Reply("$1\r\nx\r\n")
		c.SetDeadline(time.Now().Add(time.Minute))
		b, err := c.Reader().Bulk()
		require.NoError(t, err)
		assert.Equal(t, "x", string(b))
	})
	t.Run("a write is bounded by the limit and not by the slice", func(t *testing.T) {
		s := fakeredis.StartTLS(t, server)
		c := dial(t, s, &conn.Config{TLS: client})
		c.SetLimit(time.Now().Add(time.Minute))
		c.SetDeadline(past)
		send(t, c, []string{"PING"})
		c.SetDeadline(time.Now().Add(time.Minute))
		b, err := c.Reader().Bulk()
		require.NoError(t, err)
		assert.Equal(t, "PONG", string(b))
	})
	t.Run("a write that times out breaks the connection", func(t *testing.T) {
		s := fakeredis.StartTLS(t, server)
		c := dial(t, s, &conn.Config{TLS: client})
		c.SetLimit(past)
		c.Commit(resp.AppendCommand(c.Out(), "PING"), 1)
		done, err := c.Flush()
		require.False(t, done)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		assert.Error(t, c.Broken())
	})
	t.Run("E4 Abort wakes a read", func(t *testing.T) {
		s := fakeredis.StartTLS(t, server)
		p := newPool(t, s, &conn.Config{TLS: client})
		c := checkout(t, p)
		s.Handle(func(*fakeredis.Peer, []string) []byte { c.Abort(); return []byte("+late\r\n") })
		c.SetLimit(time.Now().Add(time.Minute))
		send(t, c, get("a"))
		for range 2 {
			if _, err := c.Reader().Bulk(); err != nil {
				require.ErrorIs(t, err, os.ErrDeadlineExceeded)
				break
			}
			c.Received()
		}
		s.Handle(fakeredis.Ready(nil))
		p.Put(c)
		next := checkout(t, p)
		v, err := next.Do(t.Context(), "PING")
		require.NoError(t, err)
		assert.Equal(t, "PONG", v.Text)
		p.Put(next)
	})
}
