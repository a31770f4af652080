package fuzz_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
)

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
