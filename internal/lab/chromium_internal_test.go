//go:build chromium

package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// probe measures the page in the browser and leaves what it found in an element, for --dump-dom.
const probe = `<script>
addEventListener("load", () => {
  const drawings = [...document.querySelectorAll("figure")].map(f => {
    const box = f.querySelector("svg").getBoundingClientRect();
    const shapes = [...f.querySelectorAll("svg rect, svg circle, svg path, svg line")].map(s => s.getBoundingClientRect());
    const letters = f.querySelector("svg text").getBoundingClientRect().height;
    return {ID: f.id, Width: box.width, Height: box.height, Letters: letters,
      Shapes: shapes.filter(s => s.width > 0 || s.height > 0).length,
      Fill: getComputedStyle(f.querySelector("svg rect.s1, svg circle.s1, svg rect.track")).fill};
  });
  const found = document.createElement("pre");
  found.id = "found";
  found.textContent = JSON.stringify({Drawings: drawings, Width: document.documentElement.scrollWidth, Height: document.documentElement.scrollHeight,
    Window: innerWidth, Paper: getComputedStyle(document.body).backgroundColor});
  found.hidden = true;
  document.body.append(found);
});
</script>`

// found is what the probe found.
type found struct {
	Drawings []struct {
		ID                     string
		Width, Height, Letters float64
		Shapes                 int
		Fill                   string
	}
	Width, Height, Window float64
	Paper                 string
}

// chromium runs the browser and returns what it printed and its log.
func chromium(t *testing.T, width, height int, args ...string) (stdout, stderr string) {
	t.Helper()
	program := os.Getenv("SLOTCAST_CHROMIUM")
	require.NotEmpty(t, program, "SLOTCAST_CHROMIUM names no browser: use make lab-test")
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--enable-logging=stderr", "--user-data-dir=" + t.TempDir(), "--window-size=" + strconv.Itoa(width) + "," + strconv.Itoa(height)}, args...)
	var out, log bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stdout, cmd.Stderr = &out, &log
	require.NoError(t, cmd.Run(), log.String())
	return out.String(), log.String()
}

// console returns the lines of the browser's console.
func console(log string) (lines []string) {
	for line := range strings.Lines(log) {
		if strings.Contains(line, "CONSOLE") {
			lines = append(lines, line)
		}
	}
	return lines
}

var views = []struct {
	name  string
	width int
	dark  bool
}{{"light", 1280, false}, {"dark", 1280, true}, {"phone", 375, false}, {"phone-dark", 375, true}}

func scheme(dark bool) string {
	if dark {
		return "--blink-settings=preferredColorScheme=0"
	}
	return "--blink-settings=preferredColorScheme=1"
}

func TestChromium(t *testing.T) {
	page, r := makePage(t)
	folder := t.TempDir()
	file, probed := filepath.Join(folder, "page.html"), filepath.Join(folder, "probed.html")
	require.NoError(t, os.WriteFile(file, page, 0o600))
	require.NoError(t, os.WriteFile(probed, bytes.Replace(page, []byte("</body>"), []byte(probe+"</body>"), 1), 0o600))

	t.Run("an error on the console would be seen", func(t *testing.T) {
		broken := filepath.Join(folder, "broken.html")
		require.NoError(t, os.WriteFile(broken, bytes.Replace(page, []byte("</body>"), []byte("<script>nothing()</script></body>"), 1), 0o600))
		_, log := chromium(t, 800, 600, "--dump-dom", "file://"+broken)
		assert.NotEmpty(t, console(log))
	})
	for _, view := range views {
		t.Run(view.name, func(t *testing.T) {
			dom, log := chromium(t, view.width, 800, scheme(view.dark), "--dump-dom", "file://"+probed)
			assert.Empty(t, console(log))
			doc, err := html.Parse(strings.NewReader(dom))
			require.NoError(t, err)
			checkFigures(t, doc, r)
			f := measured(t, doc)
			assert.Len(t, f.Drawings, len(elements(doc, "figure")))
			for _, d := range f.Drawings {
				assert.Greater(t, d.Width, 250.0, d.ID)
				assert.Greater(t, d.Height, 60.0, d.ID)
				assert.Greater(t, d.Shapes, 1, d.ID)
				assert.Greater(t, d.Letters, 10.0, "%s: letters are too small to read", d.ID)
				assert.NotEqual(t, "rgb(0, 0, 0)", d.Fill, "%s: no style", d.ID)
			}
			assert.LessOrEqual(t, f.Width, f.Window, "the page scrolls sideways")
			assert.Equal(t, view.dark, dark(t, f.Paper), f.Paper)

			image := screenshot(t, view.name, view.width, int(f.Height), scheme(view.dark), "file://"+file)
			assert.GreaterOrEqual(t, colours(image), 5, "a screenshot of nothing")
		})
	}
}

func measured(t *testing.T, doc *html.Node) (f found) {
	t.Helper()
	for _, pre := range elements(doc, "pre") {
		if attribute(pre, "id") == "found" {
			require.NoError(t, json.Unmarshal([]byte(pre.FirstChild.Data), &f))
			return f
		}
	}
	require.Fail(t, "the probe did not run")
	return f
}

// dark reads rgb(r, g, b).
func dark(t *testing.T, colour string) bool {
	t.Helper()
	red, _, ok := strings.Cut(strings.TrimPrefix(colour, "rgb("), ",")
	require.True(t, ok, colour)
	v, err := strconv.Atoi(red)
	require.NoError(t, err)
	return v < 128
}

// screenshot keeps a picture of the whole page in the folder that SLOTCAST_SCREENSHOTS names.
func screenshot(t *testing.T, name string, width, height int, args ...string) image.Image {
	t.Helper()
	folder := os.Getenv("SLOTCAST_SCREENSHOTS")
	if folder == "" {
		folder = t.TempDir()
	}
	file := filepath.Join(folder, name+".png")
	chromium(t, width, height, append([]string{"--screenshot=" + file}, args...)...)
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	picture, err := png.Decode(f)
	require.NoError(t, err)
	t.Log(file)
	return picture
}

// colours counts the colours of a picture that cover a thousandth of it at least.
func colours(picture image.Image) (n int) {
	all := map[[3]uint32]int{}
	b := picture.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, _ := picture.At(x, y).RGBA()
			all[[3]uint32{r, g, bl}]++
		}
	}
	for _, area := range all {
		if area >= b.Dx()*b.Dy()/1000 {
			n++
		}
	}
	return n
}
