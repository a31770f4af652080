package resp_test

import "strings"

// stream is what a server may send, and what must be read from it: one line per reply, then the error that ends it.
// A push is written like a reply with '>' before it.
type stream struct {
	name string
	sent string
	want []string
	end  string // "EOF", "unexpected EOF", or part of the text of a ProtocolError
}

const eof, cut = "EOF", "unexpected EOF"

// small are the limits the corpus is read with.
var small = limits{Bulk: 8 << 10, Elements: 1000, Depth: 8, Line: 6000}

var corpus = []stream{
	{"nothing", "", nil, eof},

	// A1, A2, A4: sizes.
	{"A1 huge array", "*4294967295\r\n", nil, "malformed length"},
	{"A1 huge map", "%4294967295\r\n", nil, "malformed length"},
	{"A1 large array", "*2147483647\r\n", nil, "limit of 1000 elements"},
	{"A1 large set", "~2147483647\r\n", nil, "limit of 1000 elements"},
	{"A1 large push", ">999999999\r\n", nil, "limit of 1000 elements"},
	{"A1 large attribute", "|999999999\r\n", nil, "limit of 1000 elements"},
	{"A1 elements at the limit", "*1000\r\n" + strings.Repeat("_\r\n", 1000), []string{"[" + strings.Repeat("nil ", 999) + "nil]"}, eof},
	{"A1 elements over the limit", "*1001\r\n", nil, "limit of 1000 elements"},
	{"A1 pairs over the limit", "%501\r\n", nil, "limit of 1000 elements"},
	{"A1 nested elements over the limit", "*2\r\n*998\r\n" + strings.Repeat("_\r\n", 998) + "*1\r\n", nil, "limit of 1000 elements"},
	{"A1 the limit is of one reply", "*600\r\n" + strings.Repeat("_\r\n", 600) + "*600\r\n" + strings.Repeat("_\r\n", 600),
		[]string{"[" + strings.Repeat("nil ", 599) + "nil]", "[" + strings.Repeat("nil ", 599) + "nil]"}, eof},
	{"A2 huge bulk", "$1152921504606846992\r\nabc", nil, "malformed length"},
	{"A2 bulk over the limit", "$8193\r\nabc", nil, "limit 8192"},
	{"A2 bulk at the limit", "$8192\r\n" + strings.Repeat("x", 8192) + "\r\n", []string{`"` + strings.Repeat("x", 8192) + `"`}, eof},
	{"A4 count overflows int64", "*9223372036854775808\r\n", nil, "malformed length"},
	{"A4 count times two overflows", "%4611686018427387904\r\n", nil, "malformed length"},
	{"A4 count over 31 bits", "*2147483648\r\n", nil, "malformed length"},
	{"A4 integer overflows", ":9223372036854775808\r\n", nil, "malformed integer"},
	{"A4 integer overflows below", ":-9223372036854775809\r\n", nil, "malformed integer"},
	{"A4 integers at the ends", ":9223372036854775807\r\n:-9223372036854775808\r\n",
		[]string{":9223372036854775807", ":-9223372036854775808"}, eof},

	// A3: lengths that are none.
	{"A3 nulls", "$-1\r\n*-1\r\n_\r\n", []string{"nil", "nil", "nil"}, eof},
	{"A3 bulk of -2", "$-2\r\n", nil, "malformed"},
	{"A3 array of -2", "*-2\r\n", nil, "malformed"},
	{"A3 array of -7", "*-7\r\n", nil, "malformed"},
	{"A3 map of -1", "%-1\r\n", nil, "malformed"},
	{"A3 set of -1", "~-1\r\n", nil, "malformed"},
	{"A3 push of -1", ">-1\r\n", nil, "malformed"},
	{"A3 verbatim of -1", "=-1\r\n", nil, "malformed"},
	{"A3 blob error of -1", "!-1\r\n", nil, "malformed"},
	{"A3 attribute of -1", "|-1\r\n", nil, "malformed"},
	{"A3 integer without digits", ":-\r\n", nil, "malformed integer"},
	{"A3 integer of nothing", ":\r\n", nil, "malformed integer"},
	{"A3 integer with a space", ": 1\r\n", nil, "malformed integer"},
	{"A3 integer with two signs", ":+-1\r\n", nil, "malformed integer"},
	{"A3 integer with a plus and zeros", ":+05\r\n", []string{":5"}, eof},
	{"A3 bulk without length", "$\r\n", nil, "malformed length"},
	{"A3 length with a plus", "$+5\r\nhello\r\n", nil, "malformed length"},
	{"A3 length with a space", "$ 5\r\nhello\r\n", nil, "malformed length"},
	{"A3 length with a space behind", "$5 \r\nhello\r\n", nil, "malformed length"},
	{"A3 length with a zero", "$05\r\nhello\r\n", nil, "malformed length"},
	{"A3 length with zeros", "$00\r\n\r\n", nil, "malformed length"},
	{"A3 length of a letter", "$a\r\n\r\n", nil, "malformed length"},
	{"A3 length of a colon", "$:\r\n0123456789\r\n", nil, "malformed length"},
	{"A3 length of a digit and a letter", "$1?\r\n" + strings.Repeat("x", 25) + "\r\n", nil, "malformed length"},
	{"A3 length of a letter and a digit", "$?1\r\n" + strings.Repeat("x", 25) + "\r\n", nil, "malformed length"},
	{"A3 length inside an array", "*2\r\n$1\r\na\r\n$01\r\nb\r\n", nil, "malformed length"},
	{"A3 length without end", "$11111111111111111111111111", nil, "line longer"},
	{"A3 null with a text", "_x\r\n", nil, "malformed null"},

	// A5: depth.
	{"A5 depth at the limit", strings.Repeat("*1\r\n", 8) + ":1\r\n", []string{"[[[[[[[[:1]]]]]]]]"}, eof},
	{"A5 depth over the limit", strings.Repeat("*1\r\n", 9) + ":1\r\n", nil, "8 aggregates within"},
	{"A5 depth of maps, sets and attributes", strings.Repeat("%1\r\n~1\r\n|1\r\n", 3), nil, "8 aggregates within"},
	{"A5 depth of a push", ">1\r\n" + strings.Repeat("*1\r\n", 8), nil, "8 aggregates within"},
	{"A5 depth of streams", strings.Repeat("*?\r\n", 9), nil, "8 aggregates within"},

	// A7, A8: the bytes of a bulk and its end.
	{"A7 empty bulk is not null", "*3\r\n$0\r\n\r\n$-1\r\n$1\r\na\r\n+OK\r\n", []string{`["" nil "a"]`, `"OK"`}, eof},
	{"A7 empty simple string", "+\r\n:1\r\n", []string{`""`, ":1"}, eof},
	{"A7 bulk of CR LF", "$2\r\n\r\n\r\n$4\r\n\r\n\r\n\r\n", []string{`"\r\n"`, `"\r\n\r\n"`}, eof},
	{"A8 longer than said", "$5\r\nvalue12+OK\r\n", nil, "does not end with CR LF"},
	{"A8 ends with LF CR", "$3\r\nabc\n\r", nil, "does not end with CR LF"},
	{"A8 ends with CR CR", "$3\r\nabc\r\r", nil, "does not end with CR LF"},
	{"A8 shorter than said", "$3\r\nab\r\n", nil, cut},
	{"A8 shorter than said, more behind", "$3\r\nab\r\n+OK\r\n", nil, "does not end with CR LF"},
	{"A8 shorter than said in an array", "*2\r\n$3\r\nab\r\n$1\r\na\r\n", nil, "does not end with CR LF"},
	{"A8 a blob error", "!3\r\nERR+O\r\n", nil, "does not end with CR LF"},

	// A9, A10: lines.
	{"A9 error with a line break", "-ERR bad\r\narg x\r\n+OK\r\n", []string{"-ERR bad"}, "unknown type byte 'a'"},
	{"A9 zero byte", "+OK\r\n\x00", []string{`"OK"`}, "unknown type byte '\\x00'"},
	{"A9 not Redis", "HTTP/1.1 400 Bad Request\r\n", nil, "unknown type byte 'H'"},
	{"A9 a TLS alert", "\x15\x03\x01\x00\x02\x02\x46", nil, "unknown type byte '\\x15'"},
	{"A9 lone CR and LF in a line", "+a\rb\nc\n\r\n", []string{`"a\rb\nc\n"`}, eof},
	{"A9 CR before CR LF", "+a\r\r\n", []string{`"a\r"`}, eof},
	{"A10 long line", "-ERR " + strings.Repeat("x", 5000) + "\r\n", []string{"-ERR " + strings.Repeat("x", 5000)}, eof},
	{"A10 line at the limit", "+" + strings.Repeat("x", 6000) + "\r\n", []string{`"` + strings.Repeat("x", 6000) + `"`}, eof},
	{"A10 line over the limit", "+" + strings.Repeat("x", 6001) + "\r\n", nil, "line longer than 6000 bytes"},
	{"A10 line without end", "+" + strings.Repeat("x", 7000), nil, "line longer than 6000 bytes"},

	// A11: pushes.
	{"A11 push between replies", "+OK\r\n>2\r\n$10\r\ninvalidate\r\n_\r\n:1\r\n", []string{`"OK"`, `>["invalidate" nil]`, ":1"}, eof},
	{"A11 push before and behind", ">1\r\n+a\r\n:1\r\n>1\r\n+b\r\n", []string{`>["a"]`, ":1", `>["b"]`}, eof},
	{"A11 pushes in a row", ">1\r\n+a\r\n>0\r\n>1\r\n*1\r\n:1\r\n:2\r\n", []string{`>["a"]`, ">[]", ">[[:1]]", ":2"}, eof},
	{"A11 push inside a reply", "*2\r\n:1\r\n>1\r\n+a\r\n:2\r\n", nil, "push inside a reply"},
	{"A11 push with an error", ">2\r\n+a\r\n-ERR x\r\n", []string{`>["a" -ERR x]`}, eof},
	{"A11 push cut off", ">2\r\n+a\r\n", nil, cut},

	// A12: doubles.
	{"A12 infinities", ",inf\r\n,-inf\r\n,+inf\r\n,INF\r\n", []string{",+Inf", ",-Inf", ",+Inf", ",+Inf"}, eof},
	{"A12 not a number", ",nan\r\n,-nan\r\n,NAN\r\n,nan(0x8)\r\n,-NaN()\r\n", []string{",NaN", ",NaN", ",NaN", ",NaN", ",NaN"}, eof},
	{"A12 decimals", ",1.5e-7\r\n,1e+20\r\n,10\r\n,.5\r\n,5.\r\n,-0.25\r\n,+1E2\r\n",
		[]string{",1.5e-07", ",1e+20", ",10", ",0.5", ",5", ",-0.25", ",100"}, eof},
	{"A12 nothing", ",\r\n", nil, "malformed double"},
	{"A12 comma", ",1,5\r\n", nil, "malformed double"},
	{"A12 hexadecimal", ",0x1p-2\r\n", nil, "malformed double"},
	{"A12 underscores", ",1_000\r\n", nil, "malformed double"},
	{"A12 infinity", ",infinity\r\n", nil, "malformed double"},
	{"A12 point alone", ",.\r\n", nil, "malformed double"},
	{"A12 sign alone", ",-\r\n", nil, "malformed double"},
	{"A12 two points", ",1.2.3\r\n", nil, "malformed double"},
	{"A12 exponent alone", ",e5\r\n", nil, "malformed double"},
	{"A12 exponent without digits", ",1e\r\n", nil, "malformed double"},
	{"A12 exponent with a point", ",1e1.5\r\n", nil, "malformed double"},
	{"A12 out of range", ",1e999\r\n", nil, "malformed double"},
	{"A12 nan half open", ",nan(\r\n", nil, "malformed double"},
	{"A12 two signs", ",--1\r\n", nil, "malformed double"},
	{"A12 a sign behind", ",1-\r\n", nil, "malformed double"},
	{"A12 a space", ", 1\r\n", nil, "malformed double"},

	// A13: verbatim strings.
	{"A13 format stripped", "=8\r\ntxt:a\r\nb\r\n", []string{`"a\r\nb"`}, eof},
	{"A13 other format", "=5\r\nmkd:#\r\n", []string{`"#"`}, eof},
	{"A13 empty", "=4\r\ntxt:\r\n", []string{`""`}, eof},
	{"A13 too short", "=3\r\ntxt\r\n", nil, "malformed verbatim"},
	{"A13 nothing, a colon behind", "=0\r\n\r\n+:\r\n", nil, "malformed verbatim"},
	{"A13 one byte, a colon behind", "=1\r\na\r\n:1\r\n", nil, "malformed verbatim"},
	{"A13 no colon", "=5\r\ntxt-a\r\n", nil, "malformed verbatim"},
	{"A13 in an array", "*2\r\n=5\r\ntxt:a\r\n:1\r\n", []string{`["a" :1]`}, eof},

	// A14: attributes.
	{"A14 before and inside", "|1\r\n+ttl\r\n:3600\r\n*2\r\n|1\r\n+x\r\n:1\r\n:7\r\n:8\r\n", []string{"[:7 :8]"}, eof},
	{"A14 before the last", "*2\r\n:1\r\n|1\r\n+x\r\n*2\r\n:1\r\n:2\r\n:2\r\n:3\r\n", []string{"[:1 :2]", ":3"}, eof},
	{"A14 of an attribute", "|1\r\n|1\r\n+a\r\n+b\r\n+x\r\n:1\r\n:2\r\n", []string{":2"}, eof},
	{"A14 before a push", "|1\r\n+a\r\n:1\r\n>1\r\n+p\r\n:2\r\n", []string{`>["p"]`, ":2"}, eof},
	{"A14 in a push", ">1\r\n|1\r\n+a\r\n:1\r\n+p\r\n:2\r\n", []string{`>["p"]`, ":2"}, eof},
	{"A14 two in a row", "|1\r\n+a\r\n:1\r\n|0\r\n:2\r\n", []string{":2"}, eof},
	{"A14 its value is missing", "|1\r\n+a\r\n:1\r\n", nil, cut},
	{"A14 cut off", "|1\r\n+a\r\n", nil, cut},
	{"A14 with a push in it", "|1\r\n+a\r\n>1\r\n:1\r\n:1\r\n", nil, "push inside a reply"},
	{"A14 its value is missing in a stream", "*?\r\n:1\r\n|1\r\n+a\r\n:1\r\n.\r\n", nil, "end of stream"},
	{"A14 of nothing, its value is missing in a stream", "%?\r\n|0\r\n.\r\n", nil, "end of stream"},
	{"A14 before an empty stream", "*?\r\n|1\r\n+a\r\n:1\r\n*?\r\n.\r\n.\r\n", []string{"[[]]"}, eof},
	{"A14 streamed", "|?\r\n+a\r\n:1\r\n.\r\n:2\r\n", nil, "malformed attribute"},

	// A15: streams.
	{"A15 string", "$?\r\n;4\r\nHell\r\n;1\r\no\r\n;0\r\n:1\r\n", []string{`"Hello"`, ":1"}, eof},
	{"A15 empty string", "$?\r\n;0\r\n:1\r\n", []string{`""`, ":1"}, eof},
	{"A15 string of CR LF", "$?\r\n;2\r\n\r\n\r\n;1\r\n;\r\n;0\r\n", []string{`"\r\n;"`}, eof},
	{"A15 string in an array", "*2\r\n$?\r\n;1\r\na\r\n;0\r\n$1\r\nb\r\n", []string{`["a" "b"]`}, eof},
	{"A15 string over the limit", "$?\r\n" + strings.Repeat(";1000\r\n"+strings.Repeat("x", 1000)+"\r\n", 9), nil, "limit of 8192 bytes"},
	{"A15 string at the limit", "$?\r\n;8183\r\n" + strings.Repeat("x", 8183) + "\r\n;0\r\n",
		[]string{`"` + strings.Repeat("x", 8183) + `"`}, eof},
	{"A15 string a byte over the limit", "$?\r\n;8184\r\n" + strings.Repeat("x", 8184) + "\r\n;0\r\n", nil, "limit of 8192 bytes"},
	{"A15 chunk over the limit", "$?\r\n;2147483647\r\n", nil, "limit of 8192 bytes"},
	{"A15 small chunks over the limit", "$?\r\n" + strings.Repeat(";1\r\nx\r\n", 1200), nil, "limit of 8192 bytes"},
	{"A15 chunk too long", "$?\r\n;1\r\nab\r\n;0\r\n", nil, "does not end with CR LF"},
	{"A15 chunk of ?", "$?\r\n;?\r\n", nil, "malformed string chunk"},
	{"A15 chunk of -1", "$?\r\n;-1\r\n", nil, "malformed length"},
	{"A15 no chunk", "$?\r\n+a\r\n", nil, "malformed bulk string"},
	{"A15 string cut off", "$?\r\n;1\r\na\r\n", nil, cut},
	{"A15 chunk outside a string", ";1\r\na\r\n", nil, "unknown type byte ';'"},
	{"A15 array", "*?\r\n:1\r\n*?\r\n.\r\n+a\r\n.\r\n:2\r\n", []string{`[:1 [] "a"]`, ":2"}, eof},
	{"A15 set", "~?\r\n:1\r\n.\r\n", []string{"(:1)"}, eof},
	{"A15 map", "%?\r\n+a\r\n:1\r\n+b\r\n%?\r\n.\r\n.\r\n", []string{`{"a" :1 "b" {}}`}, eof},
	{"A15 odd map", "%?\r\n+a\r\n:1\r\n+b\r\n.\r\n", nil, "end of stream"},
	{"A15 counted inside streamed", "*?\r\n*2\r\n:1\r\n:2\r\n.\r\n", []string{"[[:1 :2]]"}, eof},
	{"A15 streamed inside counted", "*2\r\n*?\r\n:1\r\n.\r\n:2\r\n", []string{"[[:1] :2]"}, eof},
	{"A15 attribute inside", "*?\r\n|1\r\n+a\r\n:1\r\n:2\r\n.\r\n", []string{"[:2]"}, eof},
	{"A15 elements over the limit", "*?\r\n" + strings.Repeat("_\r\n", 1001), nil, "limit of 1000 elements"},
	{"A15 elements at the limit", "*?\r\n" + strings.Repeat("_\r\n", 1000) + ".\r\n", []string{"[" + strings.Repeat("nil ", 999) + "nil]"}, eof},
	{"A15 end between replies", ":1\r\n.\r\n", []string{":1"}, "end of stream"},
	{"A15 end in a counted array", "*2\r\n:1\r\n.\r\n", nil, "end of stream"},
	{"A15 end with a text", "*?\r\n.x\r\n", nil, "malformed end of stream"},
	{"A15 array cut off", "*?\r\n:1\r\n", nil, cut},
	{"A15 push", ">?\r\n:1\r\n.\r\n", nil, "malformed push"},
	{"A15 verbatim", "=?\r\n", nil, "malformed verbatim"},
	{"A15 blob error", "!?\r\n", nil, "malformed blob error"},

	// A16: big numbers.
	{"A16 big number", "(123456789012345678901234567890\r\n(-1\r\n", []string{"(123456789012345678901234567890", "(-1"}, eof},
	{"A16 not digits", "(12a\r\n", nil, "malformed big number"},
	{"A16 nothing", "(\r\n", nil, "malformed big number"},
	{"A16 a point", "(1.0\r\n", nil, "malformed big number"},

	// A17: errors as elements.
	{"A17 EXEC", "*2\r\n+OK\r\n-ERR value is not an integer or out of range\r\n", []string{`["OK" -ERR value is not an integer or out of range]`}, eof},
	{"A17 Lua", "*3\r\n:1\r\n-ERR inner\r\n$1\r\nx\r\n", []string{`[:1 -ERR inner "x"]`}, eof},
	{"A17 blob error", "!21\r\nSYNTAX invalid syntax\r\n:1\r\n", []string{"-SYNTAX invalid syntax", ":1"}, eof},
	{"A17 blob error of two lines", "*2\r\n!8\r\nERR a\r\nb\r\n:1\r\n", []string{"[-ERR a\r\nb :1]"}, eof},

	// A18: shapes. Value and Map are tested on them below.
	{"A18 map and flat array", "%1\r\n$5\r\nslots\r\n*0\r\n*2\r\n$5\r\nslots\r\n*0\r\n", []string{`{"slots" []}`, `["slots" []]`}, eof},
	{"A18 empty aggregates", "*0\r\n~0\r\n%0\r\n", []string{"[]", "()", "{}"}, eof},
	{"A18 empty inside", "*3\r\n*0\r\n%0\r\n*1\r\n*0\r\n:1\r\n", []string{"[[] {} [[]]]", ":1"}, eof},

	// A19: entries shorter than their reader may think.
	{"A19 node of nothing", "*1\r\n*2\r\n:0\r\n*0\r\n+next\r\n", []string{"[[:0 []]]", `"next"`}, eof},
	{"A19 slots entry of two", "*1\r\n*2\r\n:0\r\n:1\r\n+next\r\n", []string{"[[:0 :1]]", `"next"`}, eof},

	// A21: ends.
	{"A21 mid bulk", "$10\r\nabc", nil, cut},
	{"A21 mid array", "*2\r\n$1\r\na\r\n", nil, cut},
	{"A21 mid header", "+OK\r\n*", []string{`"OK"`}, cut},
	{"A21 before CR LF", "$1\r\na", nil, cut},
	{"A21 between CR and LF", "$1\r\na\r", nil, cut},
	{"A21 mid line", "+O", nil, cut},
	{"A21 mid null", "$-", nil, cut},

	// A22: booleans.
	{"A22 booleans", "#t\r\n#f\r\n", []string{"#true", "#false"}, eof},
	{"A22 neither", "#x\r\n", nil, "malformed boolean"},
	{"A22 a word", "#true\r\n", nil, "malformed boolean"},
	{"A22 nothing", "#\r\n", nil, "malformed boolean"},

	// What redis-server 7.0.15 sends after HELLO 3.
	{"captured HELLO", "%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n:3\r\n$2\r\nid\r\n:3\r\n" +
		"$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n",
		[]string{`{"server" "redis" "version" "7.0.15" "proto" :3 "id" :3 "mode" "standalone" "role" "master" "modules" []}`}, eof},
	{"captured DEBUG PROTOCOL map", "%3\r\n:0\r\n#f\r\n:1\r\n#t\r\n:2\r\n#f\r\n", []string{"{:0 #false :1 #true :2 #false}"}, eof},
	{"captured DEBUG PROTOCOL set", "~3\r\n:0\r\n:1\r\n:2\r\n", []string{"(:0 :1 :2)"}, eof},
	{"captured DEBUG PROTOCOL verbatim", "=29\r\ntxt:This is a verbatim\nstring\r\n", []string{`"This is a verbatim\nstring"`}, eof},
	{"captured DEBUG PROTOCOL attrib", "|1\r\n$14\r\nkey-popularity\r\n*2\r\n$7\r\nkey:123\r\n:90\r\n" +
		"$39\r\nSome real reply following the attribute\r\n", []string{`"Some real reply following the attribute"`}, eof},
	{"captured DEBUG PROTOCOL push", ">2\r\n$16\r\nserver-cpu-usage\r\n:42\r\n$40\r\nSome real reply following the push reply\r\n",
		[]string{`>["server-cpu-usage" :42]`, `"Some real reply following the push reply"`}, eof},
	{"captured EVAL", "*8\r\n:1\r\n,-nan\r\n,-inf\r\n(123456789012345678901234567890\r\n#t\r\n#f\r\n-ERR x\r\n%1\r\n$1\r\na\r\n:1\r\n",
		[]string{`[:1 ,NaN ,-Inf (123456789012345678901234567890 #true #false -ERR x {"a" :1}]`}, eof},
	{"captured invalidation", "+OK\r\n>2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nx\r\n", []string{`"OK"`, `>["invalidate" ["x"]]`}, eof},

	{"bulk lengths", bulks(0, 1, 9, 10, 11, 99, 100, 101, 1000), rendered(0, 1, 9, 10, 11, 99, 100, 101, 1000), eof},
}

func bulks(sizes ...int) string {
	var b strings.Builder
	for _, n := range sizes {
		b.Write(mget(1, n, 0)[len("*1\r\n"):])
	}
	return b.String()
}

func rendered(sizes ...int) (want []string) {
	for _, n := range sizes {
		want = append(want, `"`+strings.Repeat("v", n)+`"`)
	}
	return want
}
