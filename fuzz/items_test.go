package fuzz_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/resp"
)

// valueOf is the one value that a key may have, wherever it is stored.
func valueOf(key string) string { return "v-" + key }

// exists reports whether the nodes have a key.
func exists(key string) bool { return !strings.HasSuffix(key, "1") }

// items is a batch of keys that checks what it is told.
type items struct {
	t     *testing.T
	fakes *fakes
	keys  []string
	told  []bool
}

func newItems(t *testing.T, keys []string, fakes *fakes) *items {
	return &items{t: t, fakes: fakes, keys: keys, told: make([]bool, len(keys))}
}

func (b *items) Len() int                           { return len(b.keys) }
func (b *items) Slot(i int) uint16                  { return crc16.Slot(b.keys[i]) }
func (b *items) AppendKey(dst []byte, i int) []byte { return resp.AppendBulkString(dst, b.keys[i]) }
func (b *items) AppendValue(dst []byte, i int) []byte {
	return resp.AppendBulkString(dst, valueOf(b.keys[i]))
}

func (b *items) tell(i int) {
	if b.told[i] {
		b.t.Errorf("item %d, %q, is answered twice", i, b.keys[i])
	}
	b.told[i] = true
}

func (b *items) Reply(i int, value []byte) {
	b.tell(i)
	switch key := b.keys[i]; {
	case value == nil && exists(key):
		b.t.Errorf("item %d, %q, is a false miss", i, key)
	case value != nil && string(value) != valueOf(key):
		b.t.Errorf("item %d, %q, has the foreign value %q", i, key, value)
	case value != nil && !exists(key):
		b.t.Errorf("item %d, %q, does not exist", i, key)
	}
}

func (b *items) Stored(i int) {
	b.tell(i)
	if !b.fakes.stored(b.keys[i]) {
		b.t.Errorf("item %d, %q, is not stored", i, b.keys[i])
	}
}

// call gets or sets the items, and checks that what is not told is in the error.
func (b *items) call(ctx context.Context, c *batch.Client, set bool) (err error) {
	b.fakes.forget()
	if set {
		err = c.Set(ctx, b, time.Minute)
	} else {
		err = c.Get(ctx, b)
	}
	var failed *batch.Error
	if err != nil && !errors.As(err, &failed) {
		b.t.Fatalf("set %v: %v", set, err)
	}
	if failed == nil {
		failed = new(batch.Error)
	}
	count := 0
	for i, told := range b.told {
		if cause := failed.Cause(i); told == (cause != nil) {
			b.t.Errorf("set %v: item %d, %q: told %v, cause %v", set, i, b.keys[i], told, cause)
		}
		if !told {
			count++
		}
	}
	if failed.Failed != count {
		b.t.Errorf("set %v: %d items failed, the error says %d: %v", set, count, failed.Failed, err)
	}
	if b.t.Failed() {
		b.t.FailNow()
	}
	return err
}
