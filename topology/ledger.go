package topology

import (
	"cmp"
	"slices"
)

// ledger keeps the moves that snapshots do not show yet. A MOVED is newer than any snapshot asked for before it: a node
// may still list the old owner for half a second after another said MOVED (measured on Redis 7.0). So a snapshot is
// patched with the moves that came in after it was asked for, and a move is forgotten once a snapshot asked for after
// it has been published.
//
// At most one move per slot is kept. The zero value is ready for use; the Tracker's lock guards it.
type ledger struct {
	time  uint64 // counts calls of record
	moves map[uint16]datedMove
}

type datedMove struct {
	Move
	time uint64
}

// now is the time a snapshot asked for now is dated with.
func (l *ledger) now() uint64 { return l.time }

func (l *ledger) record(moves []Move) {
	if l.moves == nil {
		l.moves = make(map[uint16]datedMove)
	}
	l.time++
	for _, m := range moves {
		l.moves[m.Slot] = datedMove{m, l.time}
	}
}

// since returns the moves recorded after asked, the oldest first.
func (l *ledger) since(asked uint64) []Move {
	var newer []datedMove
	for _, m := range l.moves {
		if m.time > asked {
			newer = append(newer, m)
		}
	}
	slices.SortFunc(newer, func(a, b datedMove) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.Slot, b.Slot))
	})
	moves := make([]Move, len(newer))
	for i, m := range newer {
		moves[i] = m.Move
	}
	return moves
}

// forget drops the moves that a snapshot asked for at that time accounts for.
func (l *ledger) forget(asked uint64) {
	for slot, m := range l.moves {
		if m.time <= asked {
			delete(l.moves, slot)
		}
	}
}
