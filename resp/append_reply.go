package resp

import (
	"math"
	"strconv"
)

// The functions of this file encode what servers send, for proxies and test peers. Arrays and bulk strings are in
// append.go.

// AppendSimple appends s as a simple string to dst and returns it. As a server does, it turns CR and LF into spaces.
func AppendSimple(dst []byte, s string) []byte { return appendLine(dst, KindSimple, s) }

// AppendError appends the error reply with the given line to dst and returns it. As a server does, it turns CR and LF
// into spaces.
func AppendError(dst []byte, line string) []byte { return appendLine(dst, KindError, line) }

// AppendInt appends the integer v to dst and returns it.
func AppendInt(dst []byte, v int64) []byte {
	dst = append(dst, byte(KindInt))
	dst = strconv.AppendInt(dst, v, 10)
	return append(dst, '\r', '\n')
}

// AppendNull appends the null of RESP3 to dst and returns it.
func AppendNull(dst []byte) []byte { return append(dst, "_\r\n"...) }

// AppendNullBulk appends the null bulk string of RESP2 to dst and returns it.
func AppendNullBulk(dst []byte) []byte { return append(dst, "$-1\r\n"...) }

// AppendNullArray appends the null array of RESP2 to dst and returns it.
func AppendNullArray(dst []byte) []byte { return append(dst, "*-1\r\n"...) }

// AppendBool appends the boolean v to dst and returns it.
func AppendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, "#t\r\n"...)
	}
	return append(dst, "#f\r\n"...)
}

// AppendDouble appends the double v to dst and returns it, in the shortest form that reads back as v.
func AppendDouble(dst []byte, v float64) []byte {
	dst = append(dst, byte(KindDouble))
	switch {
	case math.IsNaN(v):
		dst = append(dst, "nan"...)
	case math.IsInf(v, 1):
		dst = append(dst, "inf"...)
	case math.IsInf(v, -1):
		dst = append(dst, "-inf"...)
	default:
		dst = strconv.AppendFloat(dst, v, 'g', -1, 64)
	}
	return append(dst, '\r', '\n')
}

// AppendBigNumber appends the big number with the given decimal digits, which may have a sign, to dst and returns it.
func AppendBigNumber(dst []byte, digits string) []byte { return appendLine(dst, KindBigNumber, digits) }

// AppendBlobError appends the error reply with the given text, which may hold any bytes, to dst and returns it.
func AppendBlobError(dst []byte, text string) []byte {
	dst = appendHeader(dst, KindBlobError, len(text))
	dst = append(dst, text...)
	return append(dst, '\r', '\n')
}

// AppendVerbatim appends text as a verbatim string to dst and returns it. The format is of three bytes, such as "txt"
// or "mkd"; any other length makes it "txt".
func AppendVerbatim(dst []byte, format, text string) []byte {
	if len(format) != 3 {
		format = "txt"
	}
	dst = appendHeader(dst, KindVerbatim, len(text)+4)
	dst = append(dst, format...)
	dst = append(dst, ':')
	dst = append(dst, text...)
	return append(dst, '\r', '\n')
}

// AppendMap appends the header of a map of n pairs to dst and returns it.
func AppendMap(dst []byte, n int) []byte { return appendHeader(dst, KindMap, n) }

// AppendSet appends the header of a set of n elements to dst and returns it.
func AppendSet(dst []byte, n int) []byte { return appendHeader(dst, KindSet, n) }

// AppendPush appends the header of a push of n elements to dst and returns it.
func AppendPush(dst []byte, n int) []byte { return appendHeader(dst, KindPush, n) }

// AppendAttribute appends the header of an attribute of n pairs to dst and returns it. The value it belongs to follows
// the pairs.
func AppendAttribute(dst []byte, n int) []byte { return appendHeader(dst, KindAttribute, n) }

// appendLine appends s between a type byte and CR LF, with the line breaks in it made spaces.
func appendLine(dst []byte, k Kind, s string) []byte {
	dst = append(dst, byte(k))
	start := len(dst)
	dst = append(dst, s...)
	for i, c := range dst[start:] {
		if c == '\r' || c == '\n' {
			dst[start+i] = ' '
		}
	}
	return append(dst, '\r', '\n')
}
