package fuzz_test

import (
	"bytes"
	"strconv"

	"github.com/slotcast/slotcast/resp"
)

// tree makes a value of any bytes. They are like RESP without lengths: a type byte and a line end by LF, an aggregate is
// open until a '.'. So a change of some bytes changes some leaves or branches, and what stands between them is skipped. A
// '@' and a byte stand for one of the words that replies about the topology are made of. The value is the first one that
// comes out, or null.
func tree(text []byte) resp.Value {
	open := []resp.Value{{}}
	attach := func(v resp.Value) {
		top := &open[len(open)-1]
		top.Elems = append(top.Elems, v)
	}
	shut := func() {
		v := open[len(open)-1]
		open = open[:len(open)-1]
		attach(v)
	}
	for len(text) > 0 && len(open[0].Elems) == 0 {
		kind := resp.Kind(text[0])
		text = text[1:]
		switch kind {
		case resp.KindArray, resp.KindMap, resp.KindSet, resp.KindPush:
			if len(open) < 100 {
				open = append(open, resp.Value{Kind: kind})
			}
		case '.':
			if len(open) > 1 {
				shut()
			}
		case '@':
			if len(text) > 0 {
				attach(resp.Value{Kind: resp.KindBulk, Text: words[int(text[0])%len(words)]})
				text = text[1:]
			}
		default:
			var line []byte
			if v := leaf(kind, nil); v.Kind != 0 {
				line, text, _ = bytes.Cut(text, []byte("\n"))
				attach(leaf(kind, line))
			}
		}
	}
	for len(open) > 1 {
		shut()
	}
	if len(open[0].Elems) == 0 {
		return resp.Value{Kind: resp.KindNull}
	}
	return open[0].Elems[0]
}

var words = []string{
	"slots", "nodes", "id", "endpoint", "ip", "hostname", "port", "tls-port", "role", "health", "availability-zone",
	"master", "replica", "primary", "online", "fail", "?", "", "6379", "16383", "10.0.0.1", "::1", "node-1.example.com",
}

// leaf is the value of a line, or the zero Value if the kind is none of a leaf.
func leaf(kind resp.Kind, line []byte) resp.Value {
	v := resp.Value{Kind: kind}
	switch kind {
	case resp.KindBulk, resp.KindSimple, resp.KindVerbatim, resp.KindError:
		v.Text = string(line)
	case resp.KindInt:
		v.Int, _ = strconv.ParseInt(string(line), 10, 64)
	case resp.KindDouble:
		v.Float, _ = strconv.ParseFloat(string(line), 64)
	case resp.KindBool:
		v.Int = int64(len(line) & 1)
	case resp.KindBigNumber:
		i, _ := strconv.ParseInt(string(line), 10, 64)
		v.Text = strconv.FormatInt(i, 10) + "00000000000000000000"
	case resp.KindNull:
	default:
		return resp.Value{}
	}
	return v
}

// appendTree appends the text that tree makes v of, if there is no LF in v.
func appendTree(dst []byte, v resp.Value) []byte {
	if len(v.Elems) == 0 && leaf(v.Kind, nil).Kind != 0 {
		dst = append(dst, byte(v.Kind))
		switch v.Kind {
		case resp.KindInt:
			dst = strconv.AppendInt(dst, v.Int, 10)
		case resp.KindDouble:
			dst = strconv.AppendFloat(dst, v.Float, 'g', -1, 64)
		case resp.KindBool:
			dst = append(dst, "t"[:v.Int]...)
		default:
			dst = append(dst, v.Text...)
		}
		return append(dst, '\n')
	}
	dst = append(dst, byte(v.Kind))
	for _, e := range v.Elems {
		dst = appendTree(dst, e)
	}
	return append(dst, '.')
}
