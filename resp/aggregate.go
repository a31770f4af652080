package resp

import "fmt"

// Array reads the header of an array or set and opens it: its n elements are what the next calls read. For null n is
// -1, for a streamed array [Streamed].
func (r *Reader) Array() (n int, err error) {
	k, err := r.next()
	if err != nil {
		return 0, err
	}
	switch k {
	case KindNull:
		r.takeNull()
		return -1, nil
	case KindArray, KindSet:
		return r.open(k, k)
	}
	return 0, r.mismatch("array", k)
}

// Map reads the header of a map and opens it: n keys, each with its value behind it, are what the next calls read. A
// flat array of an even number of elements is a map too, as in RESP2. For null n is -1, for a streamed map [Streamed].
func (r *Reader) Map() (n int, err error) {
	k, err := r.next()
	if err != nil {
		return 0, err
	}
	switch k {
	case KindNull:
		r.takeNull()
		return -1, nil
	case KindMap:
		n, err = r.open(k, k)
	case KindArray:
		if n, _, err = r.count(k); err != nil {
			return 0, err
		}
		if n > 0 && n%2 == 1 {
			return 0, r.mismatch("map", k)
		}
		n, err = r.open(k, KindMap)
	default:
		return 0, r.mismatch("map", k)
	}
	if n > 0 {
		n /= 2
	}
	return n, err
}

// open consumes the header of an aggregate of kind k, opens it as a frame of kind as, and returns the number of its
// elements.
func (r *Reader) open(k, as Kind) (n int, err error) {
	n, size, err := r.count(k)
	if err != nil {
		return 0, err
	}
	if k.aside() {
		r.rp += size
	} else {
		r.took(size)
	}
	r.push(as, n)
	return n, nil
}

// count returns the number of elements the next value announces, two for each pair, and the size of its header. It
// holds the limits.
func (r *Reader) count(k Kind) (n, size int, err error) {
	n, size, err = r.length(1)
	if err != nil {
		return 0, 0, err
	}
	if len(r.stack) >= r.limits.Depth {
		return 0, 0, r.protocol(fmt.Sprintf("more than %d aggregates within each other", r.limits.Depth))
	}
	room := r.limits.Elements - r.elems
	if k.paired() {
		room /= 2
	}
	switch {
	case n > room:
		return 0, 0, r.protocol(fmt.Sprintf("%s of %d exceeds the limit of %d elements", k, n, r.limits.Elements))
	case n == Streamed && k.aside():
		return 0, 0, r.malformed(k)
	case n > 0 && k.paired():
		n *= 2
	}
	return n, size, nil
}

// push opens an aggregate of n elements.
func (r *Reader) push(k Kind, n int) {
	r.stack = append(r.stack, r.frame)
	r.frame = frame{left: n, kind: k}
	if n == Streamed {
		r.left = -1
		return
	}
	r.elems += n
}

// pop closes the innermost aggregate.
func (r *Reader) pop() {
	r.begun = r.kind == KindAttribute
	top := len(r.stack) - 1
	r.frame, r.stack = r.stack[top], r.stack[:top]
	if top == 0 {
		r.elems = 0
	}
}

// checkEnd checks that the next value, an end of stream, ends one here, and does not stand where the value of an attribute
// is due.
func (r *Reader) checkEnd() error {
	if err := r.literal(""); err != nil {
		return err
	}
	read := -1 - r.left
	if r.left >= 0 || r.kind.paired() && read%2 == 1 || r.begun {
		return r.protocol("unexpected " + kindEnd.String())
	}
	return nil
}

// closeStreamed consumes an end of stream.
func (r *Reader) closeStreamed() {
	r.rp += len(".\r\n")
	r.pop()
}
