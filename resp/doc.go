// Package resp is a codec for the Redis serialization protocol, RESP2 and RESP3.
//
// Commands and replies are written with the AppendX functions, which append to a byte slice. Replies are read with a
// [Reader]: a cursor whose calls hand out views of its read buffer and allocate nothing. A reply whose shape is not
// known beforehand is read as a tree with [Reader.Value].
//
// The protocol is https://redis.io/docs/latest/develop/reference/protocol-spec/ and, for RESP3,
// https://github.com/redis/redis-specifications/blob/master/protocol/RESP3.md, streamed strings and aggregates
// included.
//
// # What is accepted
//
// A peer that has lost step with its stream sends plausible bytes, so the reader is strict where servers are:
//
//   - Lengths and counts are canonical decimals from 0 to 2147483647: no sign, no space, no leading zero. The only
//     negative ones are the nulls $-1 and *-1.
//   - Lines and bulks end with CR LF and nothing else. A simple string or error may hold a lone CR or LF.
//   - Integers have an optional sign and at least one digit, and must fit an int64. Big numbers look the same, of any
//     size.
//   - Doubles are decimals with an optional sign, point and exponent, in range of a float64, or inf, nan or nan(chars)
//     with an optional sign, in either case of letters. "infinity", hexadecimals and underscores are refused.
//   - Booleans are #t and #f.
//   - Pushes stand between replies only. Attributes may stand before any value and are dropped.
//   - Streamed strings ($?) and streamed arrays, sets and maps (*?, ~?, %?) are read under the same [Limits].
//
// Whatever breaks these rules is a [ProtocolError]: the stream is out of step and the connection must be dropped.
package resp
