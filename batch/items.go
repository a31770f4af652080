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
