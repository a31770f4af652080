package resp

import "fmt"

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
	b := r.buf[r.rp : r.rp+size]
	if string(b[at+n:]) != "\r\n" {
		return nil, 0, r.protocol(fmt.Sprintf("%s of %d bytes does not end with CR LF", k, n))
	}
	text = b[at : at+n : at+n]
	if k == KindVerbatim {
		if text[3] != ':' {
			return nil, 0, r.malformed(k)
		}
		text = text[4:]
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
	case n == Streamed && k != KindBulk, k == KindVerbatim && n < len("txt:"):
		return 0, 0, r.malformed(k)
	}
	return n, size, nil
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
	if string(r.buf[r.rp+header+n:r.rp+end]) != "\r\n" {
		return 0, 0, r.malformed(kindChunk)
	}
	return n, end, nil
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
