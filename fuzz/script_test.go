package fuzz_test

import "bytes"

// A script says what becomes of what reaches each node: three queues per node, of dials, questions about the topology and
// all other commands. A step is two bytes: the first has the node in its upper two bits and what to do in the others, the
// second is the argument of that.
type script struct {
	steps [nodesAtMost][subjects][]step
}

type step struct{ do, arg int }

const nodesAtMost = 4

// What a step is about.
const (
	aTalk = iota
	aView
	aDial
	subjects
)

// What becomes of a command: see session.act.
const (
	behave     = iota
	moved      // to any place
	ask        // to any place
	movedOther // MOVED with another slot than the command's
	refuse     // an error reply
	refuseItem // an array with an error for one item
	cutOff     // a part of the reply, and the end
	hangUp     // the end
	deform     // a reply of the wrong shape
	garble     // what is no RESP, or is too large
	delay      // wait before the reply
	dribble    // the reply comes byte by byte
	silence    // no reply, ever
	decorate   // a push or an attribute, and the reply
	disguise   // the reply in another form that means the same
	goodbye    // the reply, and the end
	forget     // the script is flushed first
	give       // the slot has another owner from now on
	talks

	// And of a question about the topology.
	viewError
	viewEnd
	viewEmpty
	viewHalf
	viewTurned // the owners are exchanged
	viewAlone  // one node has all slots
	viewOthers // a cluster of strangers, at the same addresses
	viewNowhere
	viewCutOff
	viewGarbled
	viewDelay
	viewSilence
	views

	// And of a dial.
	dialRefused
	dialHangs
	helloError
	helloEnd
	helloSilence
	dials
)

// newScript reads a script.
func newScript(text []byte) *script {
	s := new(script)
	for ; len(text) >= 2; text = text[2:] {
		node, do := text[0]>>6, int(text[0]&63)%dials
		subject := aDial
		switch {
		case do < talks:
			subject = aTalk
		case do < views:
			subject = aView
		}
		s.steps[node][subject] = append(s.steps[node][subject], step{do, int(text[1])})
	}
	return s
}

// next takes the next step of a node. Where there is none left the node behaves.
func (s *script) next(node, subject int) step {
	queue := &s.steps[node%nodesAtMost][subject]
	if len(*queue) == 0 {
		return step{}
	}
	next := (*queue)[0]
	*queue = (*queue)[1:]
	return next
}

// line writes a script: the node, what to do, and its argument, over and over.
func line(steps ...int) (text []byte) {
	for ; len(steps) > 0; steps = steps[3:] {
		text = append(text, byte(steps[0]<<6|steps[1]), byte(steps[2]))
	}
	return text
}

// tales are scripts after faults D and E.
var tales = [][]byte{
	nil,
	bytes.Repeat(line(0, moved, 1, 1, moved, 0), 20), // two nodes point to each other
	bytes.Repeat(line(0, refuse, 3), 40),             // a node that is loading for ever
	bytes.Repeat(line(0, refuse, 4), 80),             // a busy one
	bytes.Repeat(line(0, deform, 12), 8),             // "+QUEUED" to everything
	line(0, moved, 0, 0, moved, 0),                   // a node that points to itself
	line(0, ask, 1, 1, refuse, 11, 1, behave, 0),     // ASKING is refused
	line(0, ask, 1, 1, behave, 0, 1, ask, 2, 2, behave, 0, 2, moved, 0),
	line(0, refuse, 0, 0, refuse, 0, 0, ask, 1, 0, behave, 0),    // TRYAGAIN
	line(0, refuse, 7, 0, refuse, 7, 0, refuse, 7, 0, refuse, 7), // NOSCRIPT for ever
	line(0, forget, 0, 0, behave, 0, 0, forget, 0),
	line(0, delay, 7, 0, behave, 0, 0, delay, 7),                              // a reply that comes in the next call
	line(0, refuseItem, 74, 0, refuseItem, 74, 1, delay, 30, 1, disguise, 65), // slices of time end between the elements
	line(0, delay, 30, 0, delay, 100, 0, behave, 0, 1, silence, 0),
	line(0, cutOff, 5, 0, cutOff, 9, 0, hangUp, 0, 0, goodbye, 0, 0, dialRefused, 0, 0, dialHangs, 0),
	line(0, give, 1, 0, moved, 1, 1, viewTurned, 0, 0, viewHalf, 0),
	line(0, dialRefused, 0, 0, dialRefused, 0, 0, dialRefused, 0, 0, dialRefused, 0, 1, viewAlone, 0),
	line(0, viewOthers, 0, 1, viewOthers, 0, 0, hangUp, 0, 0, viewNowhere, 0, 1, viewNowhere, 0),
}
