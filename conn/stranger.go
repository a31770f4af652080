package conn

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"

	"github.com/slotcast/slotcast/resp"
)

// explain turns a stream that is no RESP into ErrNotRedis, with a guess at what it is, and gives a hint where the peer
// hangs up without a word. Fault E26.
func (g greeter) explain(err error) error {
	var broken *resp.ProtocolError
	switch {
	case errors.As(err, &broken):
		return fmt.Errorf("%w: %s", ErrNotRedis, guess(g.greeting[:min(g.bytesIn, int64(len(g.greeting)))]))
	case endOfStream(err) && g.bytesIn == 0 && !g.tls:
		return fmt.Errorf("%w before any reply (does the peer expect TLS?)", err)
	}
	return err
}

// guess names the peer that greets with these bytes.
func guess(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("HTTP/")):
		return "it speaks HTTP"
	case bytes.HasPrefix(head, []byte("SSH-")):
		return "it speaks SSH"
	case len(head) >= 2 && (head[0] == 0x15 || head[0] == 0x16) && head[1] == 0x03:
		return "it speaks TLS, and Config.TLS is not set"
	default:
		return fmt.Sprintf("it answers %q", head)
	}
}

// explainTLS tells a peer without TLS from other failures of the TLS handshake.
func explainTLS(err error) error {
	var head tls.RecordHeaderError
	if errors.As(err, &head) {
		return fmt.Errorf("%w: no TLS at this port; it answers %q", ErrNotRedis, head.RecordHeader[:])
	}
	return err
}
