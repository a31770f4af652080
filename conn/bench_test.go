package conn_test

import (
	"testing"

	"github.com/slotcast/slotcast/conn"
	"github.com/slotcast/slotcast/internal/fakeredis"
)

// What a batch pays per node before it says a word: a look at the socket is most of it.
func BenchmarkGetPut(b *testing.B) {
	s := fakeredis.Start(b)
	p := conn.NewPool(s.Addr(), nil)
	defer p.Close()
	ctx := b.Context()
	for b.Loop() {
		c, err := p.Get(ctx)
		if err != nil {
			b.Fatal(err)
		}
		p.Put(c)
	}
}
