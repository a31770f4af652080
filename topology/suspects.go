package topology

import "time"

// suspectFor is how long a node is asked last after it could not be reached, unless it answers before.
const suspectFor = time.Minute

// suspects are nodes that could not be reached, with the time it was last noticed. Peers go on calling a frozen node
// online for seconds, so only the client itself knows. The Tracker's lock guards it; the zero value is ready for use.
type suspects map[string]time.Time

func (s *suspects) add(addr string, now time.Time) {
	if *s == nil {
		*s = make(suspects)
	}
	for a, since := range *s {
		if now.Sub(since) >= suspectFor {
			delete(*s, a)
		}
	}
	(*s)[addr] = now
}

func (s suspects) has(addr string, now time.Time) bool {
	since, ok := s[addr]
	return ok && now.Sub(since) < suspectFor
}

func (s suspects) clear(addr string) { delete(s, addr) }
