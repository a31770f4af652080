package micro

import (
	"bufio"
	"io"
	_ "unsafe" // for linkname

	_ "github.com/redis/go-redis/v9" // linked for the functions below
	"github.com/redis/rueidis"
)

// The functions below have their bodies in the peers; inside.s makes the compiler accept that.

// goRedisSlot is the slot of a key.
//
//go:linkname goRedisSlot github.com/redis/go-redis/v9/internal/hashtag.Slot
func goRedisSlot(key string) int

// goRedisReader and goRedisWriter stand for types that only go-redis can name.
type (
	goRedisReader struct{ _ [8]byte }
	goRedisWriter struct{ _ [8]byte }
)

// goRedisSink is what a go-redis writer writes to.
type goRedisSink interface {
	io.Writer
	io.ByteWriter
	WriteString(s string) (n int, err error)
}

//go:linkname newGoRedisReader github.com/redis/go-redis/v9/internal/proto.NewReader
func newGoRedisReader(src io.Reader) *goRedisReader

// goRedisReadSlice is how the reply to MGET is read.
//
//go:linkname goRedisReadSlice github.com/redis/go-redis/v9/internal/proto.(*Reader).ReadSlice
func goRedisReadSlice(r *goRedisReader) ([]any, error)

//go:linkname newGoRedisWriter github.com/redis/go-redis/v9/internal/proto.NewWriter
func newGoRedisWriter(dst goRedisSink) *goRedisWriter

// goRedisWriteArgs encodes a command.
//
//go:linkname goRedisWriteArgs github.com/redis/go-redis/v9/internal/proto.(*Writer).WriteArgs
func goRedisWriteArgs(w *goRedisWriter, args []any) error

// rueidisSlot is the slot of a key.
//
//go:linkname rueidisSlot github.com/redis/rueidis/internal/cmds.slot
func rueidisSlot(key string) uint16

// rueidisRead reads a reply.
//
//go:linkname rueidisRead github.com/redis/rueidis.readNextMessage
func rueidisRead(src *bufio.Reader) (rueidis.RedisMessage, error)

// rueidisWrite encodes a command.
//
//go:linkname rueidisWrite github.com/redis/rueidis.writeCmd
func rueidisWrite(dst *bufio.Writer, cmd []string) error
