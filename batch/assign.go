package batch

// patch tells the tracker of the slots that have moved: once for all MOVED answers of a round.
func (o *op) patch() {
	if len(o.moves) > 0 {
		o.c.tracker.Moved(o.moves)
		clear(o.moves)
		o.moves = o.moves[:0]
	}
}

// assign puts the open groups into the queues of the nodes that own their slots, or where ASK sent them.
func (o *op) assign() {
	if len(o.open) == 0 {
		return
	}
	v := o.c.current()
	for at := 0; at < len(o.open); at++ { // grows while it is read: see singly
		gi := o.open[at]
		g := &o.groups[gi]
		if !g.single && g.size() > 1 && o.c.moving.includes(g.slot) {
			o.singly(gi)
			continue
		}
		n := g.via
		if n == nil {
			n = v.owner(g.slot)
		}
		if n == nil {
			o.uncovered(gi)
			continue
		}
		o.push(o.runOf(n), gi)
	}
	o.open = o.open[:0]
}

// singly opens the items of a group one by one, each a group of its own, since their slot is being migrated.
func (o *op) singly(gi int32) {
	first, end := o.split(gi, 1)
	for gi := first; gi < end; gi++ {
		o.groups[gi].single = true
		o.open = append(o.open, gi)
	}
}
