package fakeredis

import (
	"fmt"
	"strings"

	"github.com/slotcast/slotcast/resp"
)

// Welcome is the reply of a Redis 7.0.15 to HELLO 3.
var Welcome = []byte("%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n:3\r\n" +
	"$2\r\nid\r\n:7\r\n$4\r\nmode\r\n$7\r\ncluster\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n")

// Ready is a handler that does the handshake and answers PING and CLIENT; all else goes to next. Where that is nil,
// commands are unknown.
func Ready(next Handler) Handler {
	return func(p *Peer, cmd []string) []byte {
		switch strings.ToUpper(cmd[0]) {
		case "HELLO":
			return Welcome
		case "PING":
			return []byte("+PONG\r\n")
		case "CLIENT":
			return []byte("+OK\r\n")
		}
		if next != nil {
			return next(p, cmd)
		}
		return resp.AppendError(nil, fmt.Sprintf("ERR unknown command '%s'", cmd[0]))
	}
}
