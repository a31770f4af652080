package resp

import "strconv"

// The functions of this file encode commands: arrays of bulk strings.

// AppendArray appends the header of an array of n elements to dst and returns it.
func AppendArray(dst []byte, n int) []byte { return appendHeader(dst, KindArray, n) }

// AppendBulk appends b as a bulk string to dst and returns it. A nil b is the empty string, not null.
func AppendBulk(dst, b []byte) []byte {
	dst = appendHeader(dst, KindBulk, len(b))
	dst = append(dst, b...)
	return append(dst, '\r', '\n')
}

// AppendBulkString appends s as a bulk string to dst and returns it.
func AppendBulkString(dst []byte, s string) []byte {
	dst = appendHeader(dst, KindBulk, len(s))
	dst = append(dst, s...)
	return append(dst, '\r', '\n')
}

// AppendBulkInt appends v in decimal as a bulk string to dst and returns it.
func AppendBulkInt(dst []byte, v int64) []byte {
	var digits [20]byte
	return AppendBulk(dst, strconv.AppendInt(digits[:0], v, 10))
}

// AppendCommand appends the command with the given name and arguments to dst and returns it.
func AppendCommand(dst []byte, args ...string) []byte {
	dst = AppendArray(dst, len(args))
	for _, arg := range args {
		dst = AppendBulkString(dst, arg)
	}
	return dst
}

// appendHeader appends a type byte and a length or count.
func appendHeader(dst []byte, k Kind, n int) []byte {
	dst = append(dst, byte(k))
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, '\r', '\n')
}
