package fuzz_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/slotcast/slotcast/resp"
)

// readerLimits are what the targets of the Reader choose from.
var readerLimits = []resp.Limits{
	{Bulk: 1 << 10, Elements: 100, Depth: 8, Line: 200},
	{Bulk: 5, Elements: 3, Depth: 2, Line: 9},
	{},
}

// FuzzReader makes any calls on a Reader of any bytes, which arrive in any pieces, with time-outs in between.
//
//   - Nothing panics and every call returns.
//   - Each call gives the same as when the bytes arrive in one piece: value, error, offset, depth and pushes. A call that
//     times out is made again and then gives that.
//   - An error that is neither an answer of the server, nor about the kind of the value, nor a time-out, stays.
func FuzzReader(f *testing.F) {
	for i, sent := range wire {
		f.Add([]byte(sent), []byte{1}, []byte{}, byte(i%3))
		f.Add([]byte(sent), []byte{timesOut, 1}, []byte{callKind, callArray, callMore, callBulk}, byte(0))
		f.Add([]byte(sent), []byte{3, withTimeout, 0, withEnd}, []byte{callMore, callMap, callSkip, callValue, callSkipRest}, byte(0))
	}
	every := make([]byte, len(calls))
	for i := range every {
		every[i] = byte(i)
	}
	f.Add([]byte("*2\r\n*?\r\n:1\r\n.\r\n-ERR x\r\n>1\r\n+p\r\n|1\r\n+a\r\n:1\r\n%1\r\n+k\r\n,1.5\r\n"), []byte{1, timesOut}, every, byte(0))
	readers := make([]*resp.Reader, len(readerLimits))
	for i, limits := range readerLimits {
		readers[i] = resp.NewReader(nil, limits)
	}
	f.Fuzz(func(t *testing.T, sent, plan, calls []byte, limits byte) {
		r := readers[int(limits)%len(readers)]
		want := makeCalls(t, r, &source{left: sent}, calls)
		got := makeCalls(t, r, &source{left: sent, plan: plan}, calls)
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("call %d of %q\nin pieces:    %s\nin one piece: %s", i, sent, got[i], want[i])
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d calls in pieces, %d in one piece", len(got), len(want))
		}
	})
}

// makeCalls makes the calls in turn, over and over, or reads values if there are none, and tells what came of each.
func makeCalls(t *testing.T, r *resp.Reader, src *source, ops []byte) (told []string) {
	r.Reset(src)
	r.OnPush = func(push resp.Value) { told = append(told, fmt.Sprintf("push %+v", push)) }
	if len(ops) == 0 {
		ops = []byte{callValue}
	}
	for i := range 2*len(src.left) + 8 {
		call := calls[int(ops[i%len(ops)])%len(calls)]
		what, err := call(r, src)
		for errors.Is(err, os.ErrDeadlineExceeded) {
			what, err = call(r, src)
		}
		told = append(told, fmt.Sprintf("%s %v at %d, depth %d", what, err, r.Offset(), r.Depth()))
		if stays(err) {
			if _, again := r.Value(); again != err {
				t.Fatalf("%v, and then %v", err, again)
			}
			return told
		}
	}
	return told
}

// stays reports whether a reader is of no use after err.
func stays(err error) bool {
	return err != nil && err != resp.ErrEnd && !errors.As(err, new(*resp.Error)) && !errors.As(err, new(*resp.MismatchError))
}

// call makes one call and tells what it returned.
type call func(r *resp.Reader, src *source) (string, error)

const (
	callKind = iota
	callBulk
	callArray
	callMap
	callMore
	callSkip
	callSkipRest
	callValue
)

var calls = []call{
	callKind:     told((*resp.Reader).Kind),
	callBulk:     told(text((*resp.Reader).Bulk)),
	callArray:    told((*resp.Reader).Array),
	callMap:      told((*resp.Reader).Map),
	callMore:     more,
	callSkip:     func(r *resp.Reader, _ *source) (string, error) { return "", r.Skip() },
	callSkipRest: func(r *resp.Reader, _ *source) (string, error) { return "", r.SkipRest() },
	callValue:    told((*resp.Reader).Value),

	told((*resp.Reader).Int),
	told((*resp.Reader).Double),
	told((*resp.Reader).Bool),
	told(text((*resp.Reader).BigNumber)),
	told(text((*resp.Reader).ErrorText)),
	func(r *resp.Reader, _ *source) (string, error) {
		s, ok, err := r.BulkString()
		return fmt.Sprintf("%q %v", s, ok), err
	},
}

func told[T any](do func(*resp.Reader) (T, error)) call {
	return func(r *resp.Reader, _ *source) (string, error) {
		v, err := do(r)
		return fmt.Sprintf("%+v", v), err
	}
}

// text tells a null from an empty string, and copies the view.
func text(do func(*resp.Reader) ([]byte, error)) func(*resp.Reader) (string, error) {
	return func(r *resp.Reader) (string, error) {
		b, err := do(r)
		return fmt.Sprintf("%q, null %v", b, b == nil), err
	}
}

// more asks again if a time-out may be why it was told that there is more.
func more(r *resp.Reader, src *source) (string, error) {
	for {
		before := src.timeouts
		if is := r.More(); !is || src.timeouts == before {
			return fmt.Sprint("more ", is), nil
		}
		for late := os.ErrDeadlineExceeded; errors.Is(late, os.ErrDeadlineExceeded); {
			_, late = r.Kind()
		}
	}
}

// readAll reads values until the first error.
func readAll(r *resp.Reader, src io.Reader) (values []resp.Value, err error) {
	r.OnPush = func(push resp.Value) { values = append(values, push) }
	r.Reset(src)
	for {
		v, err := r.Value()
		if err != nil {
			return values, err
		}
		values = append(values, v)
	}
}
