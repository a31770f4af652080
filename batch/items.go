package batch

// Keys is a list of keys, asked by index in the manner of sort.Interface, so that a batch needs no slice of keys.
// All methods are called from the goroutine that called Get or Set, and none may call back into the Client.
type Keys interface {
	// Len is the number of items. It must not change during the call.
	Len() int

	// Slot is the slot of key i, below crc16.SlotCount. It is asked once per batch.
	Slot(i int) uint16

	// AppendKey appends key i to dst as one RESP bulk string (resp.AppendBulk does it) and returns dst.
	// It must give the same bytes each time: a retry encodes again.
	AppendKey(dst []byte, i int) []byte
}

// Reads is what Get asks for and where it puts the answers.
type Reads interface {
	Keys

	// Reply answers item i, at most once: the value of its key, or nil when the owner of the slot said that
	// there is no such key. The slice is valid during the call only.
	Reply(i int, value []byte)
}

// Writes is what Set stores.
type Writes interface {
	Keys

	// AppendValue appends value i to dst as one RESP bulk string and returns dst. It must give the same bytes each time.
	AppendValue(dst []byte, i int) []byte

	// Stored tells, at most once, that value i has been stored.
	Stored(i int)
}

// ManyKeys are what a Reads or Writes may have besides, to be asked about many items at once; then it is. Where the work for
// an item is as small as to copy a short key, the calls are a good part of it. items[i] is an index; the slices are valid
// during the call only, and must not be changed.
type ManyKeys interface {
	// Slots sets dst[i] to the slot of key i, for all of them.
	Slots(dst []uint16)

	// AppendKeys appends the keys of the items, which are of one slot, as AppendKey would one by one.
	AppendKeys(dst []byte, items []int32) []byte
}

// ManyReads is a Reads that can be asked about many items at once.
type ManyReads interface {
	Reads
	ManyKeys

	// Replies answers items[i] with values[i], as Reply would one by one.
	Replies(items []int32, values [][]byte)
}

// ManyWrites is a Writes that can be asked about many items at once.
type ManyWrites interface {
	Writes
	ManyKeys

	// AppendValues appends the values of the items, as AppendValue would one by one.
	AppendValues(dst []byte, items []int32) []byte

	// AllStored tells that the values of the items have been stored, as Stored would one by one.
	AllStored(items []int32)
}

// manyItems are what a batch is made of, whatever is done with it.
type manyItems interface {
	Len() int
	ManyKeys
}

// The types below ask one by one where items cannot be asked about many.

type eachRead struct{ Reads }

func (e *eachRead) Slots(dst []uint16) { eachSlot(e, dst) }

func (e *eachRead) AppendKeys(dst []byte, items []int32) []byte { return eachKey(e, dst, items) }

func (e *eachRead) Replies(items []int32, values [][]byte) {
	for i, value := range values {
		e.Reply(int(items[i]), value)
	}
}

type eachWrite struct{ Writes }

func (e *eachWrite) Slots(dst []uint16) { eachSlot(e, dst) }

func (e *eachWrite) AppendKeys(dst []byte, items []int32) []byte { return eachKey(e, dst, items) }

func (e *eachWrite) AppendValues(dst []byte, items []int32) []byte {
	for _, i := range items {
		dst = e.AppendValue(dst, int(i))
	}
	return dst
}

func (e *eachWrite) AllStored(items []int32) {
	for _, i := range items {
		e.Stored(int(i))
	}
}

func eachSlot(keys Keys, dst []uint16) {
	for i := range dst {
		dst[i] = keys.Slot(i)
	}
}

func eachKey(keys Keys, dst []byte, items []int32) []byte {
	for _, i := range items {
		dst = keys.AppendKey(dst, int(i))
	}
	return dst
}
