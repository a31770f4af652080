package topology

import (
	"cmp"
	"slices"
	"time"
)

// settling is how long a move stands against snapshots asked for after it. The nodes learn of a failover or a migration
// one after the other, and CLUSTER SHARDS was seen to lag MOVED by 0.4 s (Redis 7.0, node timeout 2 s). Believing such a
// snapshot would lead back to a primary that is dead.
const settling = time.Second

// ledger keeps the moves that are newer than snapshots, by slot: those that came in after a snapshot was asked for, or less
// than settling before. A snapshot is patched with them when it is published; those it is newer than are forgotten then.
//
// At most one move per slot is kept. The zero value is ready for use; the Tracker's lock guards it.
type ledger struct{ moves map[uint16]datedMove }

type datedMove struct {
	Move
	at time.Time
}

// outlives reports whether the move stands against a snapshot asked for at that time.
func (m datedMove) outlives(asked time.Time) bool { return asked.Sub(m.at) < settling }

func (l *ledger) record(moves []Move, now time.Time) {
	if l.moves == nil {
		l.moves = make(map[uint16]datedMove)
	}
	for _, m := range moves {
		l.moves[m.Slot] = datedMove{m, now}
	}
}

// against returns the moves that stand against a snapshot asked for at that time, the oldest first, and forgets the others.
func (l *ledger) against(asked time.Time) []Move {
	var newer []datedMove
	for slot, m := range l.moves {
		if m.outlives(asked) {
			newer = append(newer, m)
		} else {
			delete(l.moves, slot)
		}
	}
	slices.SortFunc(newer, func(a, b datedMove) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.Slot, b.Slot))
	})
	moves := make([]Move, len(newer))
	for i, m := range newer {
		moves[i] = m.Move
	}
	return moves
}
