package fuzz_test

import (
	"bytes"
	"fmt"

	"github.com/slotcast/slotcast/resp"
)

// lines are error replies: those of the retry matrix, some that nobody knows, and redirects that are none.
var lines = []string{
	"TRYAGAIN Multiple keys request during rehashing of slot",
	"CLUSTERDOWN The cluster is down",
	"CLUSTERDOWN Hash slot not served",
	"LOADING Redis is loading the dataset in memory",
	"BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
	"MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
	"READONLY You can't write against a read only replica.",
	"NOSCRIPT No matching script. Please use EVAL.",
	"CROSSSLOT Keys in request don't hash to the same slot",
	"WRONGTYPE Operation against a key holding the wrong kind of value",
	"OOM command not allowed when used memory > 'maxmemory'.",
	"NOPERM this user has no permissions to run the 'asking' command",
	"NOAUTH Authentication required.",
	"ERR Error running script (call to f_0): @user_script:1: -READONLY You can't write against a read only replica.",
	"ERR Script attempted to access a non local key in a cluster node",
	"ERR invalid expire time in 'set' command",
	"MOVED", "MOVED 3999", "MOVED 16384 127.0.0.1:7000", "ASK 1 127.0.0.1:70000", "MOVED 1 []:7000", "ASK x y",
	"", " ", "-", "UNKILLABLE Sorry the script already executed write commands",
}

// garbled is what is no RESP, breaks the limits, or never comes to an end.
var garbled = []string{
	"HTTP/1.1 400 Bad Request\r\n\r\n", "\x15\x03\x01\x00\x02\x02\x46", "$-2\r\n", "*-7\r\n", "$05\r\nhello\r\n", "$1000001\r\n", "$5\r\nvalue12\r\n",
	"*2147483647\r\n", "*4294967295\r\n", "$1152921504606846992\r\n", "*1001\r\n", ":12a\r\n", "#x\r\n", ",1,5\r\n", "\x00", "\r\n", ".\r\n", ";1\r\na\r\n",
	"-ERR bad\r\narg x\r\n", "*1\r\n>1\r\n+a\r\n", "$?\r\n+a\r\n", "=3\r\ntxt\r\n", "|1\r\n+a\r\n.\r\n",
}

// decorations may come before a reply.
var decorations = []string{
	">2\r\n$10\r\ninvalidate\r\n_\r\n", ">1\r\n-ERR x\r\n", ">0\r\n", "|1\r\n+ttl\r\n:3600\r\n", "|1\r\n+a\r\n*1\r\n$3\r\nfoo\r\n>1\r\n$3\r\nfoo\r\n",
}

// deformed is a reply of another shape than the command calls for. It says neither that a key is missing nor that it was
// stored.
func deformed(cmd, keys []string, arg int) []byte {
	n := len(keys)
	counted := func(header byte, count int) []byte {
		out := fmt.Appendf(nil, "%c%d\r\n", header, count)
		for range count {
			out = append(out, "$3\r\nfoo\r\n"...)
		}
		return out
	}
	forms := [][]byte{
		counted('*', n+2), counted('~', n+3), counted('*', 0), []byte("*-1\r\n"), []byte("*?\r\n$3\r\nfoo\r\n.\r\n"), []byte("%1\r\n+a\r\n+b\r\n"),
		[]byte("#t\r\n"), []byte(",1.5\r\n"), []byte("(123\r\n"), resp.AppendInt(nil, int64(n)+1), resp.AppendInt(nil, -1), []byte("*1\r\n*1\r\n:1\r\n"),
		[]byte("+QUEUED\r\n"),
	}
	form := forms[arg%len(forms)]
	if cmd[0] == "GET" && form[0] == '*' && form[1] == '-' {
		return []byte(":7\r\n") // a null of any form is a miss
	}
	if n > 1 && arg%4 == 3 { // an array of the right size, with an element that is no value
		out := resp.AppendArray(nil, n)
		for i, key := range keys {
			switch {
			case i == arg%n:
				out = append(out, "*1\r\n$3\r\nfoo\r\n"...)
			case cmd[0] == "MGET":
				out = appendValue(out, key)
			default:
				out = append(out, "$3\r\nERR\r\n"...)
			}
		}
		return out
	}
	return form
}

// disguised is a reply in other forms that mean the same.
func disguised(reply []byte, arg int) []byte {
	v, err := resp.NewReader(bytes.NewReader(reply), resp.Limits{}).Value()
	if err != nil {
		panic(err)
	}
	var put func(dst []byte, v resp.Value) []byte
	put = func(dst []byte, v resp.Value) []byte {
		arg++
		switch {
		case arg%3 == 0:
			dst = append(dst, "|1\r\n+a\r\n%1\r\n+b\r\n_\r\n"...)
		case v.Kind == resp.KindArray && arg%2 == 0:
			dst = resp.AppendSet(dst, len(v.Elems))
			for _, e := range v.Elems {
				dst = put(dst, e)
			}
			return dst
		case v.Kind == resp.KindBulk && arg%2 == 0:
			return resp.AppendVerbatim(dst, "txt", v.Text)
		case v.Kind == resp.KindBulk && len(v.Text) > 1:
			return fmt.Appendf(dst, "$?\r\n;1\r\n%s\r\n;%d\r\n%s\r\n;0\r\n", v.Text[:1], len(v.Text)-1, v.Text[1:])
		case v.Kind == resp.KindNull && arg%2 == 0:
			return resp.AppendNullArray(dst)
		case v.Kind == resp.KindError:
			return resp.AppendBlobError(dst, v.Text)
		case v.Kind == resp.KindNull:
			return resp.AppendNullBulk(dst)
		}
		if v.Kind == resp.KindArray {
			dst = resp.AppendArray(dst, len(v.Elems))
			for _, e := range v.Elems {
				dst = put(dst, e)
			}
			return dst
		}
		return appendReply(dst, v, false)
	}
	return put(nil, v)
}
