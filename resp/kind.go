package resp

import "fmt"

// Kind is the type of a RESP value: its first byte on the wire.
type Kind byte

// The kinds of RESP2 and RESP3. A null in any of its forms ($-1, *-1, _) is of KindNull.
const (
	KindSimple    Kind = '+'
	KindError     Kind = '-'
	KindInt       Kind = ':'
	KindBulk      Kind = '$'
	KindArray     Kind = '*'
	KindNull      Kind = '_'
	KindBool      Kind = '#'
	KindDouble    Kind = ','
	KindBigNumber Kind = '('
	KindBlobError Kind = '!'
	KindVerbatim  Kind = '='
	KindMap       Kind = '%'
	KindSet       Kind = '~'
	KindAttribute Kind = '|'
	KindPush      Kind = '>'
)

// Two marks of streamed values; no call reports them as a value's kind.
const (
	kindChunk Kind = ';' // a part of a streamed string
	kindEnd   Kind = '.' // the end of a streamed aggregate
)

var kindNames = [256]string{
	KindSimple: "simple string", KindError: "error", KindInt: "integer", KindBulk: "bulk string", KindArray: "array",
	KindNull: "null", KindBool: "boolean", KindDouble: "double", KindBigNumber: "big number",
	KindBlobError: "blob error", KindVerbatim: "verbatim string", KindMap: "map", KindSet: "set",
	KindAttribute: "attribute", KindPush: "push", kindChunk: "string chunk", kindEnd: "end of stream",
}

// String returns the kind's name, such as "bulk string".
func (k Kind) String() string {
	if name := kindNames[k]; name != "" {
		return name
	}
	return fmt.Sprintf("kind(%q)", byte(k))
}

// paired reports whether the elements of the kind come in pairs, and its count on the wire is of pairs.
func (k Kind) paired() bool { return k == KindMap || k == KindAttribute }

// aside reports whether values of the kind are no element of what they stand in.
func (k Kind) aside() bool { return k == KindAttribute || k == KindPush }
