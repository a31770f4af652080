package fuzz_test

import (
	"fmt"
	"strconv"
	"strings"
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
		return s.put(s.itemError(cmd, keys, a.arg))
	case cutOff:
		reply := s.execute(cmd, keys)
		s.out = append(s.out, reply[:a.arg%len(reply)]...)
		return s.end()
	case hangUp:
		return s.end()
	case deform:
		return s.put(deformed(cmd, keys, a.arg))
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
		return s.put(disguised(s.execute(cmd, keys), a.arg))
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

func (s *session) fail(text string) bool { return s.put(resp.AppendError(nil, text)) }

func (s *session) end() bool {
	s.flush()
	return false
}

// split returns the keys of a command, and the values that it stores under them.
func split(cmd []string) (keys, values []string) {
	switch cmd[0] {
	case "GET", "MGET":
		return cmd[1:], nil
	case "SET":
		return cmd[1:2], cmd[2:3]
	case "EVAL", "EVALSHA":
		n, _ := strconv.Atoi(cmd[2])
		return cmd[3 : 3+n], cmd[4+n:]
	}
	return nil, nil
}

// execute does what a node of a cluster does and returns its reply.
func (s *session) execute(cmd, keys []string) []byte {
	s.asking = cmd[0] == "ASKING"
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(keys) > 0 {
		slot := crc16.Slot(keys[0])
		for _, key := range keys {
			if crc16.Slot(key) != slot {
				s.t.Errorf("keys of several slots in one command: %q", cmd)
			}
		}
		if owner := int(s.owner[slot]); owner != s.index && !s.asked {
			return resp.AppendError(nil, fmt.Sprintf("MOVED %d %s", slot, s.nodes[owner].addr()))
		}
	}
	switch cmd[0] {
	case "GET":
		return appendValue(nil, keys[0])
	case "MGET":
		out := resp.AppendArray(nil, len(keys))
		for _, key := range keys {
			out = appendValue(out, key)
		}
		return out
	case "SCRIPT", "EVAL":
		s.scripted = true
	case "EVALSHA":
		if !s.scripted {
			return resp.AppendError(nil, "NOSCRIPT No matching script. Please use EVAL.")
		}
	}
	for _, key := range keys {
		s.kept[key] = true
	}
	switch cmd[0] {
	case "EVAL", "EVALSHA":
		return resp.AppendInt(nil, int64(len(keys)))
	case "SCRIPT":
		return resp.AppendBulkString(nil, strings.Repeat("0", 40))
	case "SET", "ASKING":
		return resp.AppendSimple(nil, "OK")
	}
	s.t.Errorf("unexpected command %q", cmd)
	return resp.AppendError(nil, "ERR unknown command")
}

func appendValue(dst []byte, key string) []byte {
	if !exists(key) {
		return resp.AppendNull(dst)
	}
	return resp.AppendBulkString(dst, valueOf(key))
}

// itemError is the reply to a command, with an error in place of one item.
func (s *session) itemError(cmd, keys []string, arg int) []byte {
	text := lines[arg%len(lines)]
	if len(keys) < 2 {
		return resp.AppendError(nil, text)
	}
	whole := s.execute(cmd, keys)
	if whole[0] == '-' {
		return whole
	}
	out := resp.AppendArray(nil, len(keys))
	for i, key := range keys {
		switch {
		case cmd[0] == "MGET" && i == arg%len(keys):
			out = resp.AppendError(out, text)
		case cmd[0] == "MGET":
			out = appendValue(out, key)
		case i == arg%len(keys):
			out = resp.AppendBulkString(out, text)
		default:
			out = resp.AppendInt(out, 1)
		}
	}
	return out
}
