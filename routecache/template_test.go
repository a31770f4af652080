package routecache_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/crc16"
	"github.com/slotcast/slotcast/internal/race"
	"github.com/slotcast/slotcast/routecache"
)

func TestTemplateTagAndSlot(t *testing.T) {
	for _, text := range []string{"routing:v1:%d", "%d", "%d-", "a%db", "eta %d é", strings.Repeat("x", 126) + "%d"} {
		t.Run(text, func(t *testing.T) {
			tmpl := template(t, text)
			assert.Equal(t, text, tmpl.String())
			for _, n := range []int{0, 1, 9, 10, 99, 100, 12345, 9_999_999, 1<<63 - 1} {
				tag := fmt.Sprintf("{"+text+"}", n)
				assert.Equal(t, "<"+tag, string(tmpl.AppendTag([]byte("<"), n)))
				assert.Equal(t, crc16.Slot(tag+"89283082a53ffff:89283082803ffff:9"), tmpl.Slot(n), "slot of a key with %s", tag)
			}
		})
	}
	t.Run("zero Template", func(t *testing.T) {
		var zero routecache.Template
		assert.Equal(t, template(t, "%d"), zero)
	})
}

// Fixed format: changing it empties every user's cache.
func TestTemplateGolden(t *testing.T) {
	tmpl := template(t, routecache.DefaultTemplate)
	assert.Equal(t, "{routing:v1:17}", string(tmpl.AppendTag(nil, 17)))
	// By CLUSTER KEYSLOT of redis-server 7.0.15.
	for n, slot := range map[int]uint16{0: 3661, 1: 7788, 17: 6475, 23: 3228, 27: 3096, 1234567: 12266} {
		assert.Equal(t, slot, tmpl.Slot(n), "tag %d", n)
	}
}

func TestParseTemplateRefuses(t *testing.T) {
	tests := []struct{ name, template, reason string }{
		{"empty", "", "has no %d"},
		{"no hole", "routing:v1", "has no %d"},
		{"two holes", "%d:%d", "more than one %d"},
		{"opening brace", "a{%d", "brace"},
		{"closing brace", "a%d}", "brace"},
		{"its own braces", "{routing:%d}", "brace"},
		{"another verb before", "%s:%d", "percent"},
		{"another verb behind", "%d:%s", "percent"},
		{"escaped percent sign", "100%%:%d", "percent"},
		{"percent sign at the end", "%d%", "percent"},
		{"flag in the hole", "%03d", "has no %d"},
		{"NUL", "a\x00%d", "control"},
		{"CR LF", "a%d\r\n", "control"},
		{"DEL", "a%d\x7f", "control"},
		{"too long", strings.Repeat("x", 127) + "%d", "128"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := routecache.ParseTemplate(tt.template)
			var tmplErr *routecache.TemplateError
			require.ErrorAs(t, err, &tmplErr)
			assert.Equal(t, tt.template, tmplErr.Template)
			assert.Contains(t, tmplErr.Reason, tt.reason)
		})
	}
}

func TestTemplateAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	tmpl := template(t, routecache.DefaultTemplate)
	dst := make([]byte, 0, 64)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		dst = tmpl.AppendTag(dst[:0], int(tmpl.Slot(123456)))
	}))
}
