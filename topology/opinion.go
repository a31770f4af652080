package topology

import "github.com/slotcast/slotcast/crc16"

// consent is how many nodes must hold the same view before it may replace one that had more slots.
const consent = 3

// verdict returns the opinion to believe, or nil when more must be heard.
//
//   - Without a map yet, a view that covers every slot is believed.
//   - A view is believed if it has a node in common with the current map and covers all slots that one covers.
//   - A view that loses slots is believed once three nodes hold it, itself included, and more than half of those that
//     were heard. In a cluster of fewer than three nodes all of them must. So a node that has just joined, or has been
//     thrown out, or has lost its memory, cannot take the map away, and a cluster that really lost slots can.
//   - A stranger, a view without any node in common with the current map, comes from a cluster at an address ours used to
//     have. It is believed only as a last resort, see lastResort.
func (r *round) verdict() *opinion {
	for _, o := range r.opinions {
		if r.old == nil {
			if o.m.Covered() == crc16.SlotCount {
				return o
			}
		} else if o.m.keeps(r.old) && related(r.old, o.m) {
			return o
		}
	}
	for _, o := range r.opinions {
		if r.isKin(o) {
			votes, heard := r.votes(o)
			if votes >= r.needed() && 2*votes > heard {
				r.t.cfg.Logger.Warn("topology: slots are served by nobody any more", "covered", o.m.Covered(), "nodes agreeing", votes)
				return o
			}
		}
	}
	return nil
}

// lastResort returns the opinion to believe when there is nobody left to ask, or nil.
//
//   - Without a map yet, the view that most nodes hold is better than none, of equals the one with most slots.
//   - If no known node answered as one of our cluster, and a seed, asked by its configured name, leads to strangers, then
//     the cluster was replaced: the operator's configuration decides.
func (r *round) lastResort() *opinion {
	var best *opinion
	bestVotes := 0
	for _, o := range r.opinions {
		if r.old != nil && (r.kin() > 0 || !o.from.seed) {
			continue
		}
		votes, _ := r.votes(o)
		if best == nil || votes > bestVotes || votes == bestVotes && o.m.Covered() > best.m.Covered() {
			best, bestVotes = o, votes
		}
	}
	if best == nil {
		return nil
	}
	if r.old != nil {
		r.t.cfg.Logger.Warn("topology: a seed leads to a cluster that has no node in common with the one known, and none of that "+
			"answers: taking the new one", "seed", best.from.addr)
	} else {
		r.t.cfg.Logger.Warn("topology: not all slots are served", "covered", best.m.Covered(), "node", best.from.addr)
	}
	return best
}

// isKin reports whether o is a view of our cluster.
func (r *round) isKin(o *opinion) bool { return r.old == nil || related(r.old, o.m) }

// kin returns how many views of our cluster were heard.
func (r *round) kin() int {
	n := 0
	for _, o := range r.opinions {
		if r.isKin(o) {
			n++
		}
	}
	return n
}

// votes returns how many nodes see the slots as o does, and how many of its kind were heard. When a map is to be defended,
// only addresses that the cluster told have a vote: the name of a seed may lead to a node that has voted already.
func (r *round) votes(o *opinion) (votes, heard int) {
	for _, other := range r.opinions {
		if r.isKin(other) != r.isKin(o) || r.old != nil && r.isKin(o) && !other.from.member {
			continue
		}
		heard++
		if other == o || sameOwners(other.m, o.m) {
			votes++
		}
	}
	return votes, heard
}

// needed returns how many nodes must agree on a view that loses slots.
func (r *round) needed() int {
	if r.old == nil {
		return consent
	}
	n := 0
	for range r.old.nodes() {
		n++
	}
	return min(consent, n)
}

// widen lets the nodes that a doubtful view names be asked too, if it is a view of our cluster.
func (r *round) widen(o *opinion) {
	if !r.isKin(o) {
		return
	}
	for n := range o.m.nodes() {
		r.queue.add(candidate{addr: n.Addr, member: true})
	}
}
