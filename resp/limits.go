package resp

// Limits bounds what a peer can make a [Reader] hold. A value beyond a limit is a [ProtocolError], found from its
// header, before anything is allocated for it. Fields that are not positive take the defaults.
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
		Bulk:     positive(l.Bulk, 512<<20),
		Elements: positive(l.Elements, 1<<20),
		Depth:    positive(l.Depth, 128),
		Line:     positive(l.Line, 64<<10),
	}
}

func positive(limit, otherwise int) int {
	if limit <= 0 {
		return otherwise
	}
	return limit
}
