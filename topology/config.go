package topology

import (
	"context"
	"log/slog"
	"time"

	"github.com/slotcast/slotcast/resp"
)

// Command is a command that asks for the topology.
type Command int

// The commands a Tracker asks with.
const (
	Shards Command = iota // CLUSTER SHARDS
	Slots                 // CLUSTER SLOTS
)

// String returns the command as it is sent.
func (c Command) String() string {
	if c == Slots {
		return "CLUSTER SLOTS"
	}
	return "CLUSTER SHARDS"
}

// Answer is a node's reply to a Command.
type Answer struct {
	Value   resp.Value
	Version string // of the server, as HELLO tells it; "" if unknown
	Asked   Asked  // the connection that was used
}

// Config says how a Tracker works. Seeds and Ask are needed; every other field is useful when zero.
type Config struct {
	// Seeds are nodes of the cluster, host:port. They are passed to Ask as given, each time, so that names are resolved
	// anew.
	Seeds []string
	// Ask sends cmd to the node at addr, which is a seed or a Node.Addr, and returns its reply. An error reply is
	// returned as *resp.Error, anything else means that the node could not be asked. It is called from several
	// goroutines at once and must return when ctx ends.
	//
	// CLUSTER SHARDS can crash old servers. An Ask that knows the server's version before it sends (from HELLO) should
	// return ErrOldServer, and an Answer with the Version, where ShardsSafe says no.
	Ask func(ctx context.Context, addr string, cmd Command) (Answer, error)
	// MapAddr is the Asked.MapAddr of answers that have none. Default: addresses are dialled as announced.
	MapAddr func(host string, port int) (string, int)
	// Period is how often a started Tracker refreshes without being asked, ±10 %. Default 60 s; negative disables.
	Period time.Duration
	// MinInterval is the least time between the end of a refresh and the start of the next, ±25 %, whether it succeeded
	// or not. It doubles, up to four times its value, while there is always a next refresh waiting. Default 250 ms.
	MinInterval time.Duration
	// Timeout bounds how long one node is waited for. Default 2 s.
	Timeout time.Duration
	// OnChange is called after the map changed, once per change and in order, never twice at a time, by a goroutine of
	// the Tracker or a caller of Moved. old is nil the first time. It is called when nodes, roles or slots changed (see
	// Map.Equal) and when nodes got other addresses; not when only the order of a reply or a node's health did.
	OnChange func(old, new *Map)
	// OnRefresh is called after each refresh.
	OnRefresh func(RefreshInfo)
	// Logger gets what an operator should know. Default: nothing is logged.
	Logger *slog.Logger
}

// RefreshInfo is what one refresh did, for tracing.
type RefreshInfo struct {
	Addr     string        // the node whose answer was taken, or "" if none was
	Calls    int           // commands sent
	Duration time.Duration // from the first command to the decision, without the wait before it
	Err      error
}

func (c Config) withDefaults() Config {
	if c.Period == 0 {
		c.Period = 60 * time.Second
	}
	if c.MinInterval <= 0 {
		c.MinInterval = 250 * time.Millisecond
	}
	if c.Timeout <= 0 {
		c.Timeout = 2 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}
