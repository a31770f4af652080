package batch

import (
	"log/slog"
	"math"
	"time"

	"github.com/slotcast/slotcast/conn"
)

// Config says which cluster to use and how. The zero value of every field but Addrs is useful.
type Config struct {
	// Addrs are the seeds, as host:port. One that answers is enough; names are resolved again whenever they are used.
	Addrs []string

	// Conn is the configuration of each connection and of the pool of each node. The default of its KeepBuffer is twice
	// Window here, so that large batches find their buffers again.
	Conn conn.Config

	// MapAddr translates each address that the cluster reports into the one to dial, for clusters behind NAT.
	// Default: none.
	MapAddr func(host string, port int) (string, int)

	// MaxKeys caps the keys of one command, so that one command does not block its node for long: storing takes a
	// node about 1.4 µs a key. A cap only adds commands to the same write. Default 4096; at most Conn.Limits.Elements.
	MaxKeys int

	// MaxSetKeys caps the keys of one command that stores. Default MaxKeys: one EVALSHA a slot. With 1 every key gets a
	// SET of its own, all of them in the same write. For 3,000 keys on 3 primaries that took the servers a third less CPU
	// and the batch a quarter less time, the client 2.2 times the CPU, and 46 % more bytes (make compare QUICK=1).
	MaxSetKeys int

	// Window bounds the bytes of requests without a reply on one connection: a larger batch is sent to a node piece
	// by piece, each piece while the one before it is being answered. Default 1 MiB, some 20,000 keys: with half of that nodes
	// run out of work while the client is busy with others, and a Get of 300,000 takes 6 % longer and a tenth more of the
	// client's CPU; with more it does not get faster. With a command on top it stays below conn.Config.KeepBuffer.
	Window int

	// MaxRedirects bounds how often one group of keys follows MOVED or ASK. Default 5, at most 255.
	MaxRedirects int

	// MaxTries bounds how often one group of keys waits for a node that says CLUSTERDOWN, LOADING and the like, or is
	// sent again after its connection was lost. The call's deadline bounds it too. Default 30, which takes some 5 s; at
	// most 255.
	MaxTries int

	// RefreshPeriod is how often the topology is refreshed without cause, give or take a tenth. Default 60 s;
	// negative means never.
	RefreshPeriod time.Duration

	// Trace observes batches. Default: nobody.
	Trace *Trace

	// Logger gets the few things an operator must read. Default slog.Default.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	orDefault(&c.MaxKeys, 4096)
	orDefault(&c.Window, 1<<20)
	orDefault(&c.MaxRedirects, 5)
	orDefault(&c.MaxTries, 30)
	orDefault(&c.Conn.Timeout, 5*time.Second)
	orDefault(&c.Conn.KeepBuffer, 2*c.Window)
	orDefault(&c.Conn.Limits.Elements, 1<<20)
	c.MaxKeys = min(c.MaxKeys, c.Conn.Limits.Elements)
	orDefault(&c.MaxSetKeys, c.MaxKeys)
	c.MaxSetKeys = min(c.MaxSetKeys, c.MaxKeys)
	c.MaxRedirects, c.MaxTries = min(c.MaxRedirects, math.MaxUint8), min(c.MaxTries, math.MaxUint8)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

func orDefault[T int | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}
