package resp

import "cmp"

// Limits bounds what a peer can make a [Reader] hold. A value beyond a limit is a [ProtocolError], found from its
// header, before anything is allocated for it. Zero fields take the defaults.
type Limits struct {
	// Bulk bounds the bytes of one string; default 512 MiB, the server's proto-max-bulk-len. A streamed string counts
	// with the headers of its chunks.
	Bulk int
	// Elements bounds the elements of one reply, those of nested aggregates included; default 1<<20. A pair of a map
	// counts as two.
	Elements int
	// Depth bounds the aggregates within each other, attributes included; default 128.
	Depth int
	// Line bounds the bytes of a simple string, an error or a number; default 64 KiB.
	Line int
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Bulk:     cmp.Or(l.Bulk, 512<<20),
		Elements: cmp.Or(l.Elements, 1<<20),
		Depth:    cmp.Or(l.Depth, 128),
		Line:     cmp.Or(l.Line, 64<<10),
	}
}
