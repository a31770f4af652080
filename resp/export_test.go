package resp

// SetPoison makes views unreadable at the next call, as all tests of this package have it, or not, as benchmarks do. It
// returns what was set before.
func SetPoison(on bool) (was bool) {
	was, poison = poison, on
	return was
}

// BufferCap returns the size of r's read buffer, in bytes.
func BufferCap(r *Reader) int { return cap(r.buf) }
