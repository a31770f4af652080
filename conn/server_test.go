package conn_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/redistest"
	"github.com/slotcast/slotcast/resp"
)

// Handshakes with real servers, each that is installed.
func TestServers(t *testing.T) {
	for _, binary := range redistest.Binaries() {
		t.Run(filepath.Base(binary), func(t *testing.T) {
			s := redistest.StartServer(t, redistest.ServerConfig{
				Binary:   binary,
				Password: secret,
				Config:   []string{"user reader on >" + secret + " ~* +@read"},
			})
			connect := func(cfg conn.Config) (*conn.Conn, error) {
				c, err := conn.Dial(t.Context(), s.Addr, &cfg)
				if err == nil {
					t.Cleanup(func() { _ = c.Close() })
				}
				return c, err
			}
			t.Run("E12 all options in one write", func(t *testing.T) {
				c, err := connect(conn.Config{Password: secret, ClientName: "me", LibInfo: true})
				require.NoError(t, err)
				assert.Equal(t, 3, c.Proto())
				_, version, err := s.Version(t.Context())
				require.NoError(t, err)
				assert.Equal(t, version, c.Version())
				v, err := c.Do(t.Context(), "CLIENT", "GETNAME")
				require.NoError(t, err)
				assert.Equal(t, "me", v.Text)
			})
			t.Run("E10 E11 a user who may only read", func(t *testing.T) {
				c, err := connect(conn.Config{Username: "reader", Password: secret, LibInfo: true})
				require.NoError(t, err)
				v, err := c.Do(t.Context(), "GET", "nothing")
				require.NoError(t, err)
				assert.True(t, v.IsNull())
				_, err = c.Do(t.Context(), "SET", "a", "b")
				var said *resp.Error
				require.ErrorAs(t, err, &said)
				assert.Equal(t, "NOPERM", said.Code())
			})
			for name, cfg := range map[string]conn.Config{
				"E17 a wrong password": {Password: "wr0ng-" + secret},
				"E17 an unknown user":  {Username: "nobody", Password: secret},
				"no password":          {},
			} {
				t.Run(name, func(t *testing.T) {
					_, err := connect(cfg)
					require.ErrorIs(t, err, conn.ErrAuth)
					assert.NotContains(t, err.Error(), secret)
				})
			}
		})
	}
}

func TestServerThatIsFull(t *testing.T) {
	t.Run("E9 max number of clients", func(t *testing.T) {
		s := redistest.StartServer(t, redistest.ServerConfig{Config: []string{"maxclients 5"}})
		var err error
		for n := 0; err == nil && n < 10; n++ {
			var c *conn.Conn
			if c, err = conn.Dial(t.Context(), s.Addr, nil); err == nil {
				defer c.Close()
			}
		}
		var said *resp.Error
		require.ErrorAs(t, err, &said)
		assert.Equal(t, "ERR max number of clients reached", said.Error())
	})
}

func TestServerThatHangsUp(t *testing.T) {
	t.Run("A21 E21 its output buffer is too small for the reply", func(t *testing.T) {
		s := redistest.StartServer(t, redistest.ServerConfig{Config: []string{"client-output-buffer-limit normal 1mb 0 0"}})
		c, err := conn.Dial(t.Context(), s.Addr, nil)
		require.NoError(t, err)
		defer c.Close()
		_, err = c.Do(t.Context(), "SET", "big", strings.Repeat("x", 8<<20))
		require.NoError(t, err)
		// Not GET, whose reply Valkey 9.1 lets through: it does not seem to be copied to a buffer.
		v, err := c.Do(t.Context(), "GETRANGE", "big", "0", "-1")
		require.Error(t, err, "got %d bytes", len(v.Text))
		assert.ErrorContains(t, err, s.Addr)
		assert.Error(t, c.Broken())
		assert.False(t, conn.Unsent(err))
	})
}

func TestServerWithTLS(t *testing.T) {
	server, client := certificate(t, "x", loopback)
	dir := t.TempDir()
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
		return path
	}
	key, err := x509.MarshalPKCS8PrivateKey(server.Certificates[0].PrivateKey)
	require.NoError(t, err)
	cert := write("cert.pem", "CERTIFICATE", server.Certificates[0].Certificate[0])
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := ln.Addr().(*net.TCPAddr).Port
	require.NoError(t, ln.Close())
	redistest.StartServer(t, redistest.ServerConfig{Config: []string{
		fmt.Sprint("tls-port ", port), "tls-cert-file " + cert, "tls-ca-cert-file " + cert,
		"tls-key-file " + write("key.pem", "PRIVATE KEY", key), "tls-auth-clients no",
	}})
	addr := fmt.Sprint("127.0.0.1:", port)
	t.Run("pooled", func(t *testing.T) {
		for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
			cfg := client.Clone()
			cfg.MaxVersion = version
			p := conn.NewPool(addr, &conn.Config{TLS: cfg})
			for range 3 {
				c := checkout(t, p)
				_, err := c.Do(t.Context(), "PING")
				require.NoError(t, err)
				p.Put(c)
			}
			assert.Equal(t, uint64(1), p.Stats().Dials, "OpenSSL's session tickets do not make it unfit")
			p.Close()
		}
	})
	t.Run("E26 dialled without TLS", func(t *testing.T) {
		_, err := conn.Dial(t.Context(), addr, nil)
		require.Error(t, err)
		assert.ErrorContains(t, err, "TLS")
	})
}
