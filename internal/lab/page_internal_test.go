package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/slotcast/slotcast/internal/redistest"
)

// makePage runs a quick report, all experiments but peers, whose lines are golden, and returns the page and the results.
func makePage(t *testing.T) (page []byte, r *reportResult) {
	t.Helper()
	if _, err := redistest.Binary(); err != nil && os.Getenv(redistest.EnvRequire) == "" {
		t.Skip("needs a real server: " + err.Error())
	}
	file := filepath.Join(t.TempDir(), "page.html")
	r = &reportResult{}
	require.NoError(t, json.Unmarshal([]byte(ok(t, "report", "-quick", "-skip", "peers", "-json", "-o", file)), r))
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	var again bytes.Buffer
	require.NoError(t, writePage(&again, r))
	require.Equal(t, string(page), again.String(), "the page is a function of the JSON")
	r.Peers = goldenPeers(t)
	again.Reset()
	require.NoError(t, writePage(&again, r))
	return again.Bytes(), r
}

// find returns the elements of a name below n, in order.
func elements(n *html.Node, name string) (all []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == name {
			all = append(all, d)
		}
	}
	return all
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func words(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// drawn counts the shapes of a drawing.
func drawn(svg *html.Node) (n int) {
	for _, name := range []string{"rect", "circle", "path", "line"} {
		n += len(elements(svg, name))
	}
	return n
}

// checkFigures requires that every figure of every section is on the page and has a drawing, a caption and its numbers.
func checkFigures(t *testing.T, doc *html.Node, r *reportResult) {
	t.Helper()
	figures := map[string]*html.Node{}
	for _, f := range elements(doc, "figure") {
		figures[attribute(f, "id")] = f
	}
	want := 0
	for _, s := range r.sections() {
		for _, p := range s.Figures {
			want++
			f := figures["figure-"+p.ID]
			require.NotNil(t, f, p.ID)
			svgs := elements(f, "svg")
			require.Len(t, svgs, 1, p.ID)
			assert.Greater(t, drawn(svgs[0]), 1, p.ID)
			assert.NotEmpty(t, words(elements(svgs[0], "title")[0]), p.ID)
			assert.Equal(t, "img", attribute(svgs[0], "role"), p.ID)
			assert.NotEmpty(t, words(elements(f, "figcaption")[0]), p.ID)
			assert.Len(t, elements(elements(f, "tbody")[0], "tr"), len(p.Table.Rows), p.ID)
			assert.NotEmpty(t, p.Table.Rows, p.ID)
		}
	}
	assert.Len(t, figures, want)
}

func TestPage(t *testing.T) {
	page, r := makePage(t)
	doc, err := html.Parse(bytes.NewReader(page))
	require.NoError(t, err)

	t.Run("every experiment has a section, every figure is there", func(t *testing.T) {
		var sections []string
		for _, s := range elements(doc, "section") {
			sections = append(sections, attribute(s, "id"))
		}
		assert.Equal(t, []string{"claims", "resolution", "walk", "hotspot", "fanout", "fanout-2", "write", "codec", "tags", "peers"}, sections)
		checkFigures(t, doc, r)
	})
	t.Run("every conclusion is two sentences", func(t *testing.T) {
		for _, s := range r.sections() {
			for _, c := range s.Conclusion {
				assert.True(t, strings.HasSuffix(c, "."), c)
				assert.NotContains(t, strings.TrimSuffix(c, "."), ". ", c)
			}
			assert.Contains(t, words(doc), s.Conclusion[0])
		}
	})
	t.Run("every claim can be pointed at", func(t *testing.T) {
		claims := r.claims()
		require.Len(t, claims, 7)
		items := elements(elements(doc, "ol")[0], "li")
		require.Len(t, items, 7)
		for i, c := range claims {
			require.NotEmpty(t, c.Evidence, c.Text)
			assert.Len(t, elements(items[i], "a"), len(c.Evidence))
			assert.Contains(t, words(items[i]), string(c.Evidence[0].Holds))
		}
	})
	t.Run("every link has its target, every id is there once", func(t *testing.T) {
		ids := map[string]int{}
		for d := range doc.Descendants() {
			if id := attribute(d, "id"); id != "" {
				ids[id]++
			}
		}
		for id, n := range ids {
			assert.Equal(t, 1, n, id)
		}
		for _, a := range elements(doc, "a") {
			target, local := strings.CutPrefix(attribute(a, "href"), "#")
			assert.True(t, local)
			assert.Contains(t, ids, target)
		}
	})
	t.Run("it asks for nothing else", func(t *testing.T) {
		for d := range doc.Descendants() {
			for _, name := range []string{"src", "href", "srcset", "action", "data"} {
				v := attribute(d, name)
				assert.True(t, v == "" || strings.HasPrefix(v, "#") || v == "data:,", "%s %s=%q", d.Data, name, v)
			}
		}
		for _, outside := range []string{"@import", "url(", "http:", "https:"} {
			assert.NotContains(t, string(page), outside)
		}
		assert.Contains(t, string(page), "prefers-color-scheme: dark")
		assert.Contains(t, string(page), `name="viewport" content="width=device-width`)
	})
	t.Run("its numbers are those of the JSON", func(t *testing.T) {
		script := elements(doc, "script")
		require.Len(t, script, 1)
		inside := &reportResult{}
		require.NoError(t, json.Unmarshal([]byte(script[0].FirstChild.Data), inside))
		assert.Equal(t, r, inside)
		assert.Equal(t, 16, inside.Fanout.Chunked)
		assert.Equal(t, 3, inside.Fanout.Grouped)
		assert.Contains(t, words(doc), "the tagged keys took 16 commands, grouped by slot 3;")
	})
	t.Run("text from outside is text", func(t *testing.T) {
		evil := *r
		evil.NoPeers, evil.Machine = "<script>alert(1)</script>", "</script><b>"
		var b bytes.Buffer
		require.NoError(t, writePage(&b, &evil))
		doc, err := html.Parse(&b)
		require.NoError(t, err)
		assert.Len(t, elements(doc, "script"), 1)
		assert.Empty(t, elements(doc, "b"))
	})
	t.Run("the text of the report", func(t *testing.T) {
		var b bytes.Buffer
		r.text(&b)
		assert.Contains(t, b.String(), "7. Measure")
		b.Reset()
		r.Peers.text(&b)
		assert.Contains(t, b.String(), "slotcast")
	})
}

// TestPageWithoutPeers says why there is no comparison.
func TestPageWithoutPeers(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writePage(&b, &reportResult{NoPeers: "there is no internal/compare"}))
	assert.Contains(t, b.String(), "Not measured: there is no internal/compare.")
	assert.Contains(t, b.String(), "Not measured in this run.")
}
