package routecache_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/slotcast/slotcast/internal/fakeredis"
	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/routecache"
)

// BenchmarkClient is what a batch costs without kernel and servers: the nodes are connections in memory that have the
// reply at hand. Four pairs of five are hits, at random.
func BenchmarkClient(b *testing.B) {
	for _, n := range []int{1, 100, 3000, 100_000} {
		pairs := randomPairs(n, 7)
		estimates := estimatesOf(pairs)
		out := make([]routecache.Answer, n)
		var cfg routecache.Config
		cfg.Addrs = []string{"10.0.0.1:7000"}
		cfg.Batch.MaxKeys = n
		cfg.Batch.Conn.Dial = func(context.Context, string, string) (net.Conn, error) { return new(memoryNode), nil }
		c := open(b, cfg)
		perPair := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/pair")
		}
		b.Run(fmt.Sprintf("get/pairs=%d", n), func(b *testing.B) {
			defer perPair(b)
			b.ReportAllocs()
			for b.Loop() {
				if err := c.Get(context.Background(), pairs, out); err != nil || out[n-1].State == routecache.Failed {
					b.Fatal(err, out[n-1])
				}
			}
		})
		b.Run(fmt.Sprintf("set/pairs=%d", n), func(b *testing.B) {
			defer perPair(b)
			b.ReportAllocs()
			for b.Loop() {
				if err := c.Set(context.Background(), pairs, estimates, time.Hour); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// memoryNode is a node of three that answers each write at once. It looks at the beginning of a request only: there is one
// command to a write.
type memoryNode struct {
	reply []byte
	read  int
	cache map[int][]byte
}

func (m *memoryNode) Write(p []byte) (int, error) {
	words, head := 0, string(p[:min(len(p), 40)])
	if _, err := fmt.Sscanf(head, "*%d\r\n", &words); err != nil {
		return 0, fmt.Errorf("not a command: %q", head)
	}
	switch {
	case strings.Contains(head, "HELLO"):
		m.reply = append(m.reply, fakeredis.Welcome...)
	case strings.Contains(head, "CLUSTER"):
		m.reply = append(m.reply, memoryShards()...)
	case strings.Contains(head, "MGET"):
		m.reply = append(m.reply, m.values(words-1)...)
	case strings.Contains(head, "GET"):
		m.reply = append(m.reply, "$12\r\n412.3,5120.7\r\n"...)
	case strings.Contains(head, "EVALSHA"):
		m.reply = fmt.Appendf(m.reply, ":%d\r\n", (words-4)/2)
	case strings.Contains(head, "SCRIPT"): // and an EVALSHA behind it
		at := bytes.Index(p, []byte("*")) + 1
		at += bytes.Index(p[at:], []byte("\r\n*")) + 2
		m.reply = append(m.reply, "+OK\r\n"...)
		_, err := m.Write(p[at:])
		return len(p), err
	default:
		m.reply = append(m.reply, "+OK\r\n"...)
	}
	return len(p), nil
}

func (m *memoryNode) values(n int) []byte {
	if m.cache[n] == nil {
		if m.cache == nil {
			m.cache = make(map[int][]byte)
		}
		m.cache[n] = manyValues(n)
	}
	return m.cache[n]
}

// manyValues is the reply to an MGET of n keys.
func manyValues(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	reply := resp.AppendArray(nil, n)
	for range n {
		if rng.IntN(5) == 0 {
			reply = resp.AppendNull(reply)
			continue
		}
		value, _ := routecache.AppendEstimate(nil, routecache.Estimate{Seconds: float64(rng.IntN(36_000)) / 10, Metres: float64(rng.IntN(300_000)) / 10})
		reply = resp.AppendBulk(reply, value)
	}
	return reply
}

func memoryShards() []byte {
	shards := resp.AppendArray(nil, 3)
	for i, r := range [][2]int64{{0, 5460}, {5461, 10922}, {10923, 16383}} {
		shards = resp.AppendMap(shards, 2)
		shards = resp.AppendBulkString(shards, "slots")
		shards = resp.AppendArray(shards, 2)
		shards = resp.AppendInt(resp.AppendInt(shards, r[0]), r[1])
		shards = resp.AppendBulkString(shards, "nodes")
		shards = resp.AppendArray(shards, 1)
		shards = resp.AppendMap(shards, 5)
		for _, field := range []string{"id", fmt.Sprintf("%040d", i), "endpoint", fmt.Sprintf("10.0.0.%d", i+1), "role", "master", "health", "online"} {
			shards = resp.AppendBulkString(shards, field)
		}
		shards = resp.AppendInt(resp.AppendBulkString(shards, "port"), 7000)
	}
	return shards
}

func (m *memoryNode) Read(p []byte) (int, error) {
	if len(m.reply) == 0 {
		return 0, context.DeadlineExceeded
	}
	n := copy(p, m.reply[m.read:])
	if m.read += n; m.read == len(m.reply) {
		m.reply, m.read = m.reply[:0], 0
	}
	return n, nil
}

func (m *memoryNode) Close() error                     { return nil }
func (m *memoryNode) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (m *memoryNode) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (m *memoryNode) SetDeadline(time.Time) error      { return nil }
func (m *memoryNode) SetReadDeadline(time.Time) error  { return nil }
func (m *memoryNode) SetWriteDeadline(time.Time) error { return nil }
