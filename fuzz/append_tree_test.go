package fuzz_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/slotcast/slotcast/resp"
)

// FuzzAppendTree writes a reply of any shape, commands included, and reads it back.
//
//   - Value gives what was written, and Skip passes over it.
//   - Attributes before every value change nothing, nor do pushes before the reply.
//   - Nothing is left over.
func FuzzAppendTree(f *testing.F) {
	for _, sent := range wire {
		if values, ok := naiveRead([]byte(sent), resp.Limits{Depth: 300, Line: 1 << 10}); ok && len(values) > 0 {
			f.Add(appendTree(nil, values[0]))
		}
	}
	for _, reply := range captured(f, "*") {
		f.Add(appendTree(nil, reply))
	}
	f.Add([]byte("*@\x00%:1\n*.~#t\n_\n.,-1.5\n-ERR x\n=txt\n(7\n"))
	r := resp.NewReader(nil, resp.Limits{Line: 1 << 20})
	f.Fuzz(func(t *testing.T, text []byte) {
		want := even(tree(text))
		plain := appendReply(nil, want, false)
		decorated := append(appendReply(nil, resp.Value{Kind: resp.KindPush, Elems: []resp.Value{want}}, false), appendReply(nil, want, true)...)
		for _, sent := range [][]byte{plain, decorated} {
			r.Reset(bytes.NewReader(sent))
			if got, err := r.Value(); err != nil || !same(got, want) {
				t.Fatalf("%q\nreads as %+v, %v\nwant     %+v", sent, got, err, want)
			}
			if _, err := r.Kind(); err != io.EOF {
				t.Fatalf("%q leaves %v", sent, err)
			}
			r.Reset(bytes.NewReader(sent))
			if err := r.Skip(); err != nil {
				t.Fatalf("%q: Skip: %v", sent, err)
			}
			if _, err := r.Kind(); err != io.EOF {
				t.Fatalf("%q leaves %v behind Skip", sent, err)
			}
		}
	})
}

// FuzzAppendCommand writes a command of any arguments. It reads back as the array of them.
func FuzzAppendCommand(f *testing.F) {
	f.Add("GET\x00key")
	f.Add("SET\x00k\x00v\r\n\x00PX\x001000")
	f.Add("")
	f.Fuzz(func(t *testing.T, joined string) {
		args := strings.Split(joined, "\x00")
		v, err := resp.NewReader(bytes.NewReader(resp.AppendCommand(nil, args...)), resp.Limits{}).Value()
		if err != nil || v.Kind != resp.KindArray {
			t.Fatal(v, err)
		}
		if !slices.EqualFunc(v.Elems, args, func(v resp.Value, arg string) bool { return same(v, resp.Value{Kind: '$', Text: arg}) }) {
			t.Fatalf("%q reads as %+v", args, v)
		}
	})
}

// appendReply writes v with the Append functions, with an attribute before each value if decorated.
func appendReply(dst []byte, v resp.Value, decorated bool) []byte {
	if decorated {
		dst = resp.AppendInt(resp.AppendSimple(resp.AppendAttribute(dst, 1), "ttl"), 3600)
	}
	switch v.Kind {
	case resp.KindNull:
		return resp.AppendNull(dst)
	case resp.KindBulk:
		return resp.AppendBulkString(dst, v.Text)
	case resp.KindSimple:
		return resp.AppendSimple(dst, v.Text)
	case resp.KindVerbatim:
		return resp.AppendVerbatim(dst, "txt", v.Text)
	case resp.KindError:
		return resp.AppendBlobError(dst, v.Text)
	case resp.KindInt:
		return resp.AppendInt(dst, v.Int)
	case resp.KindDouble:
		return resp.AppendDouble(dst, v.Float)
	case resp.KindBool:
		return resp.AppendBool(dst, v.Int == 1)
	case resp.KindBigNumber:
		return resp.AppendBigNumber(dst, v.Text)
	case resp.KindArray:
		dst = resp.AppendArray(dst, len(v.Elems))
	case resp.KindSet:
		dst = resp.AppendSet(dst, len(v.Elems))
	case resp.KindMap:
		dst = resp.AppendMap(dst, len(v.Elems)/2)
	case resp.KindPush:
		dst = resp.AppendPush(dst, len(v.Elems))
	}
	for _, e := range v.Elems {
		dst = appendReply(dst, e, decorated)
	}
	return dst
}

// even returns v as the wire can carry it: maps of pairs, no pushes, simple strings of one line.
func even(v resp.Value) resp.Value {
	switch v.Kind {
	case resp.KindPush:
		v.Kind = resp.KindArray
	case resp.KindSimple:
		v.Text = strings.ReplaceAll(v.Text, "\r", " ")
	}
	elems := make([]resp.Value, len(v.Elems))
	for i, e := range v.Elems {
		elems[i] = even(e)
	}
	if v.Kind == resp.KindMap && len(elems)%2 == 1 {
		elems = append(elems, resp.Value{Kind: resp.KindNull})
	}
	v.Elems = elems
	return v
}
