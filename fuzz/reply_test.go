package fuzz_test

import (
	"fmt"
	"time"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
)

// answer puts the reply to a command into s.out, as the script has it, and reports whether the connection goes on.
func (s *session) answer(cmd []string) bool {
	switch name := cmd[0]; name {
	case "HELLO", "PING", "CLIENT", "AUTH":
		return s.greet(name)
	case "CLUSTER":
		return s.view(cmd)
	}
	keys, values := split(cmd)
	s.mu.Lock()
	for _, key := range keys {
		s.sent[key]++
	}
	for i, value := range values {
		if value != valueOf(keys[i]) {
			s.t.Errorf("node %d is to store %q under %q", s.index, value, keys[i])
		}
	}
	s.mu.Unlock()
	s.asked, s.asking = s.asking, false
	return s.act(s.next(s.index, aTalk), cmd, keys)
}

// act takes a step of the script.
func (s *session) act(a step, cmd, keys []string) bool {
	slot := uint16(0)
	if len(keys) > 0 {
		slot = crc16.Slot(keys[0])
	}
	switch a.do {
	case moved, movedOther, ask:
		code := "MOVED"
		if a.do == ask {
			code = "ASK"
		}
		if a.do == movedOther {
			slot = uint16(a.arg) << 6
		}
		places := append(s.addrs(), ":7001", "?:7001", "10.1.1.1:7777", "2001:db8::1:7001", "localhost:0", "")
		return s.fail(fmt.Sprintf("%s %d %s", code, slot, places[a.arg%len(places)]))
	case refuse:
		return s.fail(lines[a.arg%len(lines)])
	case refuseItem:
		return s.halve(s.itemError(cmd, keys, a.arg), a.arg)
	case cutOff:
		reply := s.execute(cmd, keys)
		s.out = append(s.out, reply[:a.arg%len(reply)]...)
		return s.end()
	case hangUp:
		return s.end()
	case deform:
		return s.halve(deformed(cmd, keys, a.arg), a.arg)
	case garble:
		return s.put([]byte(garbled[a.arg%len(garbled)]))
	case delay:
		return s.wait(time.Duration(1+a.arg)*5*time.Millisecond) && s.put(s.execute(cmd, keys))
	case dribble:
		for _, b := range s.execute(cmd, keys) {
			if s.out = append(s.out, b); !s.wait(time.Duration(a.arg) * 20 * time.Microsecond) {
				return false
			}
		}
		return true
	case silence:
		return s.rest()
	case decorate:
		s.out = append(s.out, decorations[a.arg%len(decorations)]...)
	case disguise:
		return s.halve(disguised(s.execute(cmd, keys), a.arg), a.arg)
	case goodbye:
		s.put(s.execute(cmd, keys))
		return s.end()
	case forget:
		s.mu.Lock()
		s.scripted = false
		s.mu.Unlock()
	case give:
		s.mu.Lock()
		s.owner[slot] = uint8(a.arg % len(s.nodes))
		s.mu.Unlock()
	}
	return s.put(s.execute(cmd, keys))
}

func (s *session) put(reply []byte) bool {
	s.out = append(s.out, reply...)
	return true
}

// halve puts a reply, and if bit 6 of the argument is set, its second half comes a while after the first.
func (s *session) halve(reply []byte, arg int) bool {
	if arg&0x40 == 0 {
		return s.put(reply)
	}
	half := len(reply) / 2
	return s.put(reply[:half]) && s.wait(20*time.Millisecond) && s.put(reply[half:])
}

func (s *session) fail(text string) bool { return s.put(resp.AppendError(nil, text)) }

func (s *session) end() bool {
	s.flush()
	return false
}
