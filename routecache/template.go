package routecache

import (
	"strconv"
	"strings"

	"github.com/slotcast/slotcast/crc16"
)

// DefaultTemplate is the template of tags unless another is configured.
const DefaultTemplate = "routing:v1:%d"

// maxTemplate bounds a template in bytes: it is repeated in every key.
const maxTemplate = 128

// Template makes tags: the text in braces that decides a key's slot. It has one hole, for an integer, and no other
// meaning (a tag that means something makes a hot spot). The zero Template is that of "%d". It is a value and safe for
// concurrent use.
type Template struct {
	prefix, suffix string
	crc            uint16 // of prefix
}

// ParseTemplate reads a template such as "routing:v1:%d". It has exactly one %d and no other percent sign, no braces
// (they would end the tag early), no control characters, and at most 128 bytes; else the error is a *TemplateError.
func ParseTemplate(s string) (Template, error) {
	fail := func(reason string) (Template, error) { return Template{}, &TemplateError{Template: s, Reason: reason} }
	if len(s) > maxTemplate {
		return fail("longer than 128 bytes")
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '{' || c == '}':
			return fail("has a brace")
		case c < ' ' || c == 0x7f:
			return fail("has a control character")
		}
	}
	prefix, suffix, found := strings.Cut(s, "%d")
	if !found {
		return fail("has no %d")
	}
	if strings.Contains(suffix, "%d") {
		return fail("has more than one %d")
	}
	if strings.Contains(prefix, "%") || strings.Contains(suffix, "%") {
		return fail("has a percent sign besides %d")
	}
	return Template{prefix: prefix, suffix: suffix, crc: crc16.Checksum(prefix)}, nil
}

// String returns the template as ParseTemplate reads it.
func (t Template) String() string { return t.prefix + "%d" + t.suffix }

// AppendTag appends tag n in its braces, as in {routing:v1:17}, to dst and returns it. n is not negative.
func (t Template) AppendTag(dst []byte, n int) []byte {
	dst = append(dst, '{')
	dst = append(dst, t.prefix...)
	dst = strconv.AppendInt(dst, int64(n), 10)
	dst = append(dst, t.suffix...)
	return append(dst, '}')
}

// Slot returns the slot of every key with tag n. It does not allocate.
func (t Template) Slot(n int) uint16 {
	var digits [20]byte
	crc := crc16.Update(t.crc, strconv.AppendInt(digits[:0], int64(n), 10))
	return crc16.Update(crc, t.suffix) % crc16.SlotCount
}

// TemplateError reports a template that cannot make tags.
type TemplateError struct {
	Template string
	Reason   string
}

func (e *TemplateError) Error() string {
	return "routecache: template " + strconv.Quote(e.Template) + " " + e.Reason
}
