package topology_test

import (
	"bytes"
	"testing"

	"github.com/slotcast/slotcast/resp"
	"github.com/slotcast/slotcast/topology"
)

// wire encodes v, which has the kinds that reply_test.go makes.
func wire(dst []byte, v resp.Value) []byte {
	switch v.Kind {
	case resp.KindInt:
		return resp.AppendInt(dst, v.Int)
	case resp.KindBulk:
		return resp.AppendBulkString(dst, v.Text)
	case resp.KindMap:
		dst = resp.AppendMap(dst, len(v.Elems)/2)
	case resp.KindArray:
		dst = resp.AppendArray(dst, len(v.Elems))
	default:
		panic(v.Kind)
	}
	for _, e := range v.Elems {
		dst = wire(dst, e)
	}
	return dst
}

// BenchmarkDecode is what one refresh of a large cluster costs: from the bytes of the reply to a map.
func BenchmarkDecode(b *testing.B) {
	shards := evenShards(500, 1)
	from := topology.Asked{Host: "10.0.0.1", Port: 6379}
	for _, bb := range []struct {
		name   string
		reply  []byte
		decode func(resp.Value, topology.Asked) ([]topology.Shard, error)
	}{
		{"command=shards/nodes=1000", wire(nil, shardsReply(shards)), topology.DecodeShards},
		{"command=slots/nodes=1000", wire(nil, slotsReply(shards)), topology.DecodeSlots},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.reply)))
			b.ReportAllocs()
			src := bytes.NewReader(bb.reply)
			r := resp.NewReader(src, resp.Limits{})
			for b.Loop() {
				src.Reset(bb.reply)
				v, err := r.Value()
				if err != nil {
					b.Fatal(err)
				}
				decoded, err := bb.decode(v, from)
				if err != nil {
					b.Fatal(err)
				}
				m, err := topology.NewMap(decoded)
				if err != nil || m.Covered() != 16384 || len(m.Shards()) != 500 {
					b.Fatal("wrong map", err)
				}
			}
		})
	}
}

func BenchmarkShardOf(b *testing.B) {
	m, err := topology.NewMap(evenShards(128, 0))
	if err != nil {
		b.Fatal(err)
	}
	slot := uint16(0)
	for b.Loop() {
		slot = (slot + 7919) % 16384
		if m.ShardOf(slot) == topology.NoShard {
			b.Fatal("uncovered")
		}
	}
}

func BenchmarkWithMoved(b *testing.B) {
	m, err := topology.NewMap(evenShards(128, 1))
	if err != nil {
		b.Fatal(err)
	}
	moves := []topology.Move{{Slot: 5, Addr: testNode(2).Addr}, {Slot: 16000, Addr: "new:1"}}
	b.ReportAllocs()
	for b.Loop() {
		if m.WithMoved(moves) == m {
			b.Fatal("nothing moved")
		}
	}
}

func BenchmarkParseRedirect(b *testing.B) {
	line := []byte("MOVED 3999 127.0.0.1:6381")
	b.ReportAllocs()
	for b.Loop() {
		if r, ok := topology.ParseRedirect(line); !ok || r.Port != 6381 {
			b.Fatal("wrong redirect")
		}
	}
}
