package topology

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
)

// opinion is what one node thinks of the cluster.
type opinion struct {
	from  candidate
	m     *Map
	asked time.Time // before the command was sent
	notes []string  // what had to be left out
}

// inquiry asks one node, with one command or two.
type inquiry struct {
	t     *Tracker
	from  candidate
	calls int
}

// ask returns the node's opinion. CLUSTER SHARDS is asked first; CLUSTER SLOTS when SHARDS is not to be had, or when its
// answer leaves doubts: it can hide the slots of a shard whose primary failed, where SLOTS does not
// (https://github.com/redis/redis/issues/13414).
func (q *inquiry) ask(ctx context.Context) (*opinion, error) {
	ctx, cancel := context.WithTimeout(ctx, q.t.cfg.Timeout)
	defer cancel()
	var doubtful *opinion
	if q.t.shardsWorthTrying() {
		o, err := q.send(ctx, Shards)
		if err == nil && o.m.Covered() == crc16.SlotCount {
			return o, nil
		}
		if err != nil && !q.slotsMayHelp(err) {
			return nil, q.explain(err)
		}
		doubtful = o
	}
	o, err := q.send(ctx, Slots)
	switch {
	case err == nil && (doubtful == nil || o.m.Covered() >= doubtful.m.Covered()):
		doubtful = o
	case doubtful == nil:
		return nil, q.explain(err)
	}
	if doubtful.m.Covered() == 0 {
		return nil, ErrNotReady
	}
	return doubtful, nil
}

// doubtfulError wraps the reason why a well-formed reply makes no map. It may be gone with the next reply.
type doubtfulError struct{ error }

// unusableError wraps the reason why a reply could not be decoded. The next one will not be better.
type unusableError struct{ error }

func (q *inquiry) send(ctx context.Context, cmd Command) (*opinion, error) {
	asked := time.Now()
	q.calls++
	answer, err := q.t.cfg.Ask(ctx, q.from.addr, cmd)
	if cmd == Shards && answer.Version != "" && !ShardsSafe(answer.Version) {
		q.t.avoidShards(q.from.addr, fmt.Errorf("%w: %s", ErrOldServer, answer.Version))
	}
	if err == nil {
		err = answer.Value.Err()
	}
	if err != nil {
		return nil, err
	}
	d := decoder{from: answer.Asked}
	if d.from.MapAddr == nil {
		d.from.MapAddr = q.t.cfg.MapAddr
	}
	decode := d.shards
	if cmd == Slots {
		decode = d.slots
	}
	shards, err := decode(answer.Value)
	switch {
	case errors.Is(err, errTwoPrimaries):
		return nil, doubtfulError{err}
	case err != nil:
		return nil, unusableError{err}
	}
	m, err := NewMap(shards)
	if err != nil {
		return nil, doubtfulError{err}
	}
	return &opinion{from: q.from, m: m, asked: asked, notes: d.notes}, nil
}

// slotsMayHelp reports whether CLUSTER SLOTS may get an answer where CLUSTER SHARDS met err, and notes when SHARDS is not
// worth trying for a while.
func (q *inquiry) slotsMayHelp(err error) bool {
	if errors.As(err, new(doubtfulError)) {
		return true
	}
	var reply *resp.Error
	switch {
	case errors.As(err, &reply):
		if isNotCluster(reply) || cannotAnswer[reply.Code()] {
			return false
		}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		// The node may have crashed of it. If so the next node would too.
	case errors.As(err, new(unusableError)), errors.Is(err, ErrOldServer):
	default:
		return false // the node could not be asked at all
	}
	q.t.avoidShards(q.from.addr, err)
	return true
}

// cannotAnswer has the codes of replies that say something about the node rather than the command.
var cannotAnswer = map[string]bool{
	"LOADING": true, "BUSY": true, "MASTERDOWN": true, "CLUSTERDOWN": true, "NOAUTH": true, "WRONGPASS": true,
}

func isNotCluster(reply *resp.Error) bool {
	return strings.Contains(reply.Error(), "cluster support disabled")
}

// explain gives the replies that have a meaning of their own their own error.
func (q *inquiry) explain(err error) error {
	var reply *resp.Error
	if !errors.As(err, &reply) {
		return err
	}
	switch {
	case isNotCluster(reply):
		return fmt.Errorf("%w: %w", ErrNotCluster, reply)
	case reply.Code() == "NOPERM":
		return &PermissionError{Addr: q.from.addr, Err: reply}
	}
	return err
}
