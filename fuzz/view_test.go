package fuzz_test

import (
	"fmt"
	"time"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/topology"
)

// greet answers the commands of the handshake.
func (s *session) greet(name string) bool {
	switch s.greeting.do {
	case helloError:
		if name == "HELLO" {
			refusals := []string{"ERR unknown command 'HELLO'", "NOPROTO unsupported protocol version", "NOAUTH HELLO must be called with the client already authenticated", "ERR max number of clients reached", "LOADING", "WRONGPASS"}
			return s.fail(refusals[s.greeting.arg%len(refusals)])
		}
	case helloEnd:
		return s.end()
	case helloSilence:
		return s.rest()
	}
	switch name {
	case "HELLO":
		return s.put([]byte("%3\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n7.2.15\r\n$5\r\nproto\r\n:3\r\n"))
	case "PING":
		return s.put([]byte("+PONG\r\n"))
	}
	return s.put([]byte("+OK\r\n"))
}

// view answers CLUSTER SHARDS and CLUSTER SLOTS.
func (s *session) view(cmd []string) bool {
	a := s.next(s.index, aView)
	shards := s.shards()
	switch a.do {
	case viewError:
		texts := []string{"ERR unknown subcommand", "NOPERM this user has no permissions", "LOADING", "CLUSTERDOWN", "ERR This instance has cluster support disabled"}
		return s.fail(texts[a.arg%len(texts)])
	case viewEnd:
		return s.end()
	case viewSilence:
		return s.rest()
	case viewDelay:
		if !s.wait(time.Duration(1+a.arg) * 10 * time.Millisecond) {
			return false
		}
	case viewGarbled:
		return s.put([]byte(garbled[a.arg%len(garbled)]))
	case viewEmpty:
		shards = nil
	case viewHalf:
		for i := range shards {
			shards[i].Slots = shards[i].Slots[:len(shards[i].Slots)/2]
		}
		shards[0].Slots = nil
	case viewTurned:
		for i := range shards {
			shards[i].Slots = s.shards()[(i+1)%len(shards)].Slots
		}
	case viewAlone:
		shards = shards[a.arg%len(shards):][:1]
		shards[0].Slots = []topology.Range{{Start: 0, End: crc16.SlotCount}}
	case viewOthers:
		for i := range shards {
			shards[i].Primary.ID = fmt.Sprintf("%040x", 100+i)
		}
	case viewNowhere:
		for i := range shards {
			shards[i].Primary.Addr = fmt.Sprintf("10.1.1.%d:7777", i)
		}
	}
	tell := shardsReply
	if cmd[1] == "SLOTS" {
		tell = slotsReply
	}
	reply := appendReply(nil, tell(shards), false)
	if a.do == viewCutOff {
		s.out = append(s.out, reply[:a.arg*len(reply)/256]...)
		return s.end()
	}
	return s.put(reply)
}

// shards is who owns what at the moment.
func (f *fakes) shards() (shards []topology.Shard) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, n := range f.nodes {
		shards = append(shards, topology.Shard{
			Primary: topology.Node{ID: fmt.Sprintf("%040x", i+1), Addr: n.addr(), Health: topology.Online},
		})
	}
	for slot, end := 0, 0; slot < len(f.owner); slot = end {
		i := f.owner[slot]
		for end = slot; end < len(f.owner) && f.owner[end] == i; {
			end++
		}
		shards[i].Slots = append(shards[i].Slots, topology.Range{Start: uint16(slot), End: uint16(end)})
	}
	return shards
}
