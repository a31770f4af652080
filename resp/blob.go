package resp

import "fmt"

const formatSize = len("txt:") // of a verbatim string; it counts in the string's length

// blob returns the bytes of the next value, a bulk string, verbatim string or blob error, and its size on the wire. It
// consumes nothing; the buffer grows as the bytes arrive.
func (r *Reader) blob(k Kind) (text []byte, size int, err error) {
	n, at, err := r.blobLength(k)
	if err != nil {
		return nil, 0, err
	}
	if n == Streamed {
		return r.chunks(at)
	}
	size = at + n + len(crlf)
	if err := r.need(size); err != nil {
		return nil, 0, err
	}
	if err := r.checkCRLF(at + n); err != nil {
		return nil, 0, err
	}
	text = r.buf[r.rp+at : r.rp+at+n : r.rp+at+n]
	if k == KindVerbatim {
		text = text[formatSize:]
	}
	return text, size, nil
}

// blobLength returns the length of the next value, within the limit, and the size of its header.
func (r *Reader) blobLength(k Kind) (n, size int, err error) {
	n, size, err = r.length(1)
	switch {
	case err != nil:
		return 0, 0, err
	case n > r.limits.Bulk:
		return 0, 0, r.protocol(fmt.Sprintf("%s of %d bytes, limit %d", k, n, r.limits.Bulk))
	case n == Streamed && k != KindBulk:
		return 0, 0, r.malformed(k)
	case k == KindVerbatim:
		return n, size, r.checkFormat(n, size)
	}
	return n, size, nil
}

// checkCRLF checks that the first at bytes of the next value are followed by CR LF, which the caller has waited for.
func (r *Reader) checkCRLF(at int) error {
	if at += r.rp; string(r.buf[at:at+len(crlf)]) != crlf {
		return r.protocol("string does not end with CR LF")
	}
	return nil
}

// checkFormat checks that a verbatim string of n bytes, which begins at bytes into the next value, has a format.
func (r *Reader) checkFormat(n, at int) error {
	if n < formatSize {
		return r.malformed(KindVerbatim)
	}
	if err := r.need(at + formatSize); err != nil {
		return err
	}
	if r.buf[r.rp+at+formatSize-1] != ':' {
		return r.malformed(KindVerbatim)
	}
	return nil
}

// chunks returns the bytes of a streamed string, whose chunks begin at bytes into the next value, and its size on the
// wire. When all of them are there it moves them together.
func (r *Reader) chunks(at int) (text []byte, size int, err error) {
	for size = at; ; {
		n, next, err := r.chunk(size, size-at)
		if err != nil {
			return nil, 0, err
		}
		size = next
		if n == 0 {
			break
		}
	}
	b := r.buf[r.rp : r.rp+size]
	end := 0
	for from := at; ; {
		n, header, _ := r.length(from + 1)
		if n == 0 {
			return b[0:end:end], size, nil
		}
		end += copy(b[end:], b[header:header+n])
		from = header + n + len(crlf)
	}
}

// chunk returns the length of the chunk that begins at bytes into the next value, 0 for the last, and where the chunk
// ends. The streamed string has taken used bytes so far.
func (r *Reader) chunk(at, used int) (n, end int, err error) {
	n, header, err := r.chunkLength(at, used)
	if err != nil || n == 0 {
		return 0, header, err
	}
	end = header + n + len(crlf)
	if err := r.need(end); err != nil {
		return 0, 0, err
	}
	return n, end, r.checkCRLF(end - len(crlf))
}

// chunkLength returns the length of the chunk that begins at bytes into the next value, and where its header ends. All
// the chunks of a string with their headers are kept within the limit of a bulk, since that is what gets buffered.
func (r *Reader) chunkLength(at, used int) (n, end int, err error) {
	if err := r.need(at + 1); err != nil {
		return 0, 0, err
	}
	if r.buf[r.rp+at] != byte(kindChunk) {
		return 0, 0, r.malformed(KindBulk)
	}
	n, end, err = r.length(at + 1)
	switch {
	case err != nil:
		return 0, 0, err
	case n == Streamed:
		return 0, 0, r.malformed(kindChunk)
	case n > r.limits.Bulk-used-(end-at)-len(crlf) && n > 0:
		return 0, 0, r.protocol(fmt.Sprintf("streamed string exceeds the limit of %d bytes", r.limits.Bulk))
	}
	return n, end, nil
}
