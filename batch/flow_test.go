package batch_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/big"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
)

// longKeys are n keys of about 100 bytes with the given tag.
func longKeys(tag string, n int) keys {
	k := make(keys, n)
	for i := range k {
		k[i] = fmt.Sprintf("{%s}%080d", tag, i)
	}
	return k
}

// A connection in memory holds nothing: a node does not read on until its replies are read, and a client that writes
// all before it reads anything would wait for ever.
func TestNodeThatReadsNoMore(t *testing.T) {
	for nodes, n := range map[int]int{1: 100_000, 2: 20_000} {
		cfg := batch.Config{MaxKeys: 100, Conn: conn.Config{Timeout: time.Minute}}
		bubble(t, fmt.Sprintf("E7 %d MB to %d", n/10_000, nodes), nodes, cfg, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
			var k keys
			for i := range nodes {
				of := longKeys(fake.Tag(i, 0), n/nodes)
				put(fake.Node(i), of)
				k = append(k, of...)
			}
			r := newReads(t, k)
			require.NoError(t, c.Get(t.Context(), r))
			for i, got := range r.got {
				if got != "v-"+k[i] {
					t.Fatalf("key %s got %q", k[i], got)
				}
			}
			w := newWrites(k)
			require.NoError(t, c.Set(t.Context(), w, time.Minute))
			assert.NotContains(t, w.stored, 0)
			assert.Zero(t, c.Stats().Lost)
		})
	}

	bubble(t, "E7 E13 one that reads nothing at all keeps nobody else's answers", 2, batch.Config{}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := append(longKeys(fake.Tag(0, 0), 10_000), tagged(fake.Tag(1, 0), 2)...)
		put(fake.Node(1), k[10_000:])
		hold := make(chan struct{})
		defer close(hold)
		fake.Node(0).On(func(_ *fakeredis.Peer, cmd []string) ([]byte, bool) {
			if cmd[0] == "MGET" {
				<-hold
			}
			return nil, false
		})
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		r := newReads(t, k)
		start := time.Now()
		assert.ErrorIs(t, c.Get(ctx, r), context.DeadlineExceeded)
		assert.Equal(t, 200*time.Millisecond, time.Since(start))
		assert.Equal(t, values(k[10_000:]), r.got[10_000:])
	})

	t.Run("E7 E13 over TLS too, where a write cannot be resumed", func(t *testing.T) {
		server, client := certificate(t)
		synctest.Test(t, func(t *testing.T) {
			fake := fakeredis.NewCluster(2)
			relay := tlsRelay{fake: fake, cfg: server, end: make(chan struct{})}
			defer close(relay.end)
			c := openFake(t, fake, batch.Config{Conn: conn.Config{TLS: client, Dial: relay.dial}})
			// One command: what stands behind it would wait for a reply that a node in memory cannot leave anywhere.
			k := append(longKeys(fake.Tag(0, 0), 4_000), tagged(fake.Tag(1, 0), 2)...)
			put(fake.Node(0), k)
			put(fake.Node(1), k)
			r := newReads(t, k)
			require.NoError(t, c.Get(t.Context(), r))
			assert.Equal(t, values(k), r.got)

			relay.deaf.Store(true) // the connections there are stay with what they have
			for range 2 {
				ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
				r = newReads(t, k)
				start := time.Now()
				assert.ErrorIs(t, c.Get(ctx, r), context.DeadlineExceeded)
				cancel()
				assert.Equal(t, 200*time.Millisecond, time.Since(start))
				assert.Equal(t, values(k[4_000:]), r.got[4_000:])
			}
		})
	})
}

// What is sent without having been answered is bounded, and with it the replies under way.
func TestWindow(t *testing.T) {
	const window = 8 << 10
	bubble(t, "E21 G13 bytes in flight", 1, batch.Config{MaxKeys: 10, Window: window}, func(t *testing.T, fake *fakeredis.Cluster, c *batch.Client) {
		k := longKeys("a", 2000)
		put(fake.Node(0), k)
		require.NoError(t, c.Get(t.Context(), newReads(t, k[:1]))) // opens the connection
		type reply struct {
			p     *fakeredis.Peer
			size  int64 // of the command
			bytes []byte
		}
		var behind, most atomic.Int64 // bytes of commands received and not answered
		queue := make(chan reply, len(k))
		defer close(queue)
		go func() {
			for r := range queue {
				time.Sleep(10 * time.Millisecond)
				behind.Add(-r.size)
				_, _ = r.p.Write(r.bytes)
			}
		}()
		fake.Node(0).On(func(p *fakeredis.Peer, cmd []string) ([]byte, bool) {
			if cmd[0] != "MGET" {
				return nil, false
			}
			size := int64(len(strings.Join(cmd, "")))
			if now := behind.Add(size); now > most.Load() {
				most.Store(now)
			}
			queue <- reply{p, size, fake.Node(0).Answer(p, cmd)}
			return nil, true
		})
		r := newReads(t, k)
		require.NoError(t, c.Get(t.Context(), r))
		assert.Equal(t, values(k), r.got)
		assert.LessOrEqual(t, most.Load(), int64(window+1100), "a window and a command")
		assert.Greater(t, most.Load(), int64(window/2))
	})
}

// tlsRelay dials the nodes of a cluster in memory over TLS.
type tlsRelay struct {
	fake *fakeredis.Cluster
	cfg  *tls.Config
	deaf atomic.Bool   // the first node gets no more bytes
	end  chan struct{} // closed with the test
}

func (r *tlsRelay) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	node, err := r.fake.Dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	near, far := net.Pipe()
	secure := tls.Server(far, r.cfg)
	go func() {
		defer near.Close()
		defer node.Close()
		buf := make([]byte, 32<<10)
		for {
			n, err := secure.Read(buf)
			if err != nil {
				return
			}
			if r.deaf.Load() && addr == r.fake.Node(0).Addr() {
				<-r.end
				return
			}
			if _, err := node.Write(buf[:n]); err != nil {
				return
			}
		}
	}()
	go func() {
		_, _ = io.Copy(secure, node)
		_ = far.Close()
	}()
	return near, nil
}

// certificate makes the two ends of a TLS connection to 127.0.0.1.
func certificate(t *testing.T) (server, client *tls.Config) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Unix(0, 0), NotAfter: time.Now().AddDate(10, 0, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(cert)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, &tls.Config{RootCAs: roots}
}
