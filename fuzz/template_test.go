package fuzz_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/routecache"
)

// FuzzTemplate reads any text as a template.
//
//   - Text with one %d, no other percent sign, no brace, no control character and at most 128 bytes is taken, and nothing
//     else. String gives it back.
//   - A tag is the template in braces with a number for the %d; it is the hash tag of whatever key it starts, and Slot is
//     the slot of that key.
func FuzzTemplate(f *testing.F) {
	for i, s := range []string{
		routecache.DefaultTemplate, "%d", "%d-", "a%db", "eta %d é", strings.Repeat("x", 126) + "%d", "", "routing:v1", "%d:%d", "a{%d", "a%d}",
		"{routing:%d}", "%s:%d", "%d:%s", "100%%:%d", "%d%", "%03d", "a\x00%d", "a%d\r\n", "a%d\x7f", strings.Repeat("x", 127) + "%d", "%%dd",
	} {
		f.Add(s, 17*i, "89283082a53ffff:892830828efffff:9")
	}
	f.Add("%d", 1<<63-1, "}{")
	f.Fuzz(func(t *testing.T, s string, n int, behind string) {
		n &= 1<<63 - 1
		tmpl, err := routecache.ParseTemplate(s)
		taken := len(s) <= 128 && strings.Count(s, "%d") == 1 && strings.Count(s, "%") == 1 &&
			!strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == '{' || r == '}' })
		if taken != (err == nil) {
			t.Fatalf("%q: %v, want taken: %v", s, err, taken)
		}
		if err != nil {
			return
		}
		if tmpl.String() != s {
			t.Fatalf("%q became %q", s, tmpl)
		}
		inside := strings.Replace(s, "%d", strconv.Itoa(n), 1)
		if tag := string(tmpl.AppendTag([]byte("+"), n)); tag != "+{"+inside+"}" {
			t.Fatalf("%q of %d: %q", s, n, tag)
		}
		key := "{" + inside + "}" + behind
		if crc16.HashTag(key) != inside || tmpl.Slot(n) != crc16.Slot(key) {
			t.Fatalf("%q of %d: slot %d, of the key %d", s, n, tmpl.Slot(n), crc16.Slot(key))
		}
	})
}
