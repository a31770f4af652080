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

// ledger keeps the moves that are newer than snapshots: those that came in after a snapshot was asked for, or less than
// settling before. A snapshot is patched with them when it is published; those it is newer than are forgotten then.
//
// At most one move per slot is kept. The zero value is ready for use; the Tracker's lock guards it.
type ledger struct {
	turn  uint64 // counts calls of record
	moves map[uint16]datedMove
}

type datedMove struct {
	Move
	turn uint64
	at   time.Time
}

// moment is when a snapshot was asked for.
type moment struct {
	turn uint64
	at   time.Time
}

func (l *ledger) now() moment { return moment{l.turn, time.Now()} }

// outlives reports whether the move stands against a snapshot asked for at that moment.
func (m datedMove) outlives(asked moment) bool {
	return m.turn > asked.turn || asked.at.Sub(m.at) < settling
}

func (l *ledger) record(moves []Move) {
	if l.moves == nil {
		l.moves = make(map[uint16]datedMove)
	}
	l.turn++
	now := time.Now()
	for _, m := range moves {
		l.moves[m.Slot] = datedMove{m, l.turn, now}
	}
}

// against returns the moves that stand against a snapshot asked for at that moment, the oldest first.
func (l *ledger) against(asked moment) []Move {
	var newer []datedMove
	for _, m := range l.moves {
		if m.outlives(asked) {
			newer = append(newer, m)
		}
	}
	slices.SortFunc(newer, func(a, b datedMove) int {
		return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(a.Slot, b.Slot))
	})
	moves := make([]Move, len(newer))
	for i, m := range newer {
		moves[i] = m.Move
	}
	return moves
}

// forget drops the moves that do not.
func (l *ledger) forget(asked moment) {
	for slot, m := range l.moves {
		if !m.outlives(asked) {
			delete(l.moves, slot)
		}
	}
}
