package redistest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/slotcast/slotcast/resp"
)

// ErrNotAtomic says that a server cannot be told to move slots at once.
var ErrNotAtomic = errors.New("redistest: the server has no CLUSTER MIGRATESLOTS; Valkey has, since 9.0")

// MoveAtOnce moves the slots first to last from one primary to another in the way of Valkey 9: the keys are sent as to a
// replica while the source goes on serving them, then writes pause for an instant, and all slots have changed hands. Such a
// migration may fail under a load of writes (https://github.com/valkey-io/valkey/issues/4545); then it is begun again. The
// error is ErrNotAtomic where there is no such thing.
func (c *Cluster) MoveAtOnce(ctx context.Context, from, to *Node, first, last int) error {
	for {
		_, err := from.client.do(ctx, "CLUSTER", "MIGRATESLOTS",
			"SLOTSRANGE", strconv.Itoa(first), strconv.Itoa(last), "NODE", to.ID)
		if err != nil && strings.HasPrefix(err.Error(), "ERR unknown subcommand") {
			return ErrNotAtomic
		}
		if err != nil {
			return fmt.Errorf("redistest: slots %d to %d: %w", first, last, err)
		}
		if err := from.awaitExport(ctx); !errors.Is(err, errExport) {
			return err
		}
	}
}

var errExport = errors.New("the migration failed")

// awaitExport waits for the end of the migration that a node has begun last.
func (n *Node) awaitExport(ctx context.Context) error {
	return poll(ctx, func() error {
		reply, err := n.client.do(ctx, "CLUSTER", "GETSLOTMIGRATIONS")
		if err != nil {
			return final(err)
		}
		switch state := lastExport(reply); state {
		case "success":
			return nil
		case "failed", "cancelled":
			return final(errExport)
		default:
			return fmt.Errorf("the migration is in state %q", state)
		}
	})
}

// lastExport is the state of the newest migration away from a node, which is the first in the list.
func lastExport(migrations resp.Value) string {
	for _, m := range migrations.Elems {
		fields := make(map[string]string)
		for i := 0; i+1 < len(m.Elems); i += 2 {
			fields[m.Elems[i].Text] = m.Elems[i+1].Text
		}
		if fields["operation"] == "EXPORT" {
			return fields["state"]
		}
	}
	return ""
}
