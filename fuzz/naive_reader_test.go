package fuzz_test

import (
	"bytes"
	"regexp"
	"strconv"

	"github.com/slotcast/slotcast/resp"
)

// naiveReader reads RESP from bytes that are all there, in the simplest way: it recurses, and panics with rejected where
// it cannot go on. It keeps the limits of depth and line.
type naiveReader struct {
	left   []byte
	limits resp.Limits
}

type rejected struct{}

// naiveRead returns the replies and pushes in sent, and whether there is nothing else in it.
func naiveRead(sent []byte, limits resp.Limits) (values []resp.Value, accepted bool) {
	d := naiveReader{sent, limits}
	defer func() {
		if !accepted {
			if r := recover(); r != (rejected{}) && r != nil {
				panic(r)
			}
		}
	}()
	for len(d.left) > 0 {
		for d.left[0] == '|' {
			d.next()
			d.elements(2*d.length(), 0)
			d.need(1)
		}
		if d.left[0] == '>' {
			d.next()
			values = append(values, resp.Value{Kind: resp.KindPush, Elems: d.elements(d.length(), 0)})
			continue
		}
		values = append(values, d.value(0))
	}
	return values, true
}

var (
	decimal   = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
	infinity  = regexp.MustCompile(`(?i)^[+-]?inf$`)
	notNumber = regexp.MustCompile(`(?is)^[+-]?nan(\(.*\))?$`)
	integer   = regexp.MustCompile(`^[+-]?[0-9]+$`)
	count     = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)
)

// value reads a value with so many aggregates around it.
func (d *naiveReader) value(depth int) resp.Value {
	d.need(1)
	kind := resp.Kind(d.next())
	v := resp.Value{Kind: kind}
	var err error
	switch kind {
	case '+', '-':
		v.Text = d.line()
	case ':':
		v.Int, err = strconv.ParseInt(d.line(), 10, 64)
	case ',':
		v.Float, err = double(d.line())
	case '(':
		v.Text = d.line()
		d.must(integer.MatchString(v.Text))
	case '#':
		is := d.line()
		d.must(is == "t" || is == "f")
		if is == "t" {
			v.Int = 1
		}
	case '_':
		d.must(d.line() == "")
	case '$':
		if v.Kind = d.null("$-1\r\n", kind); v.Kind == kind {
			v.Text = d.bulk()
		}
	case '!':
		v.Kind, v.Text = resp.KindError, d.bytes(d.length())
	case '=':
		v.Text = d.bytes(d.length())
		d.must(len(v.Text) >= 4 && v.Text[3] == ':')
		v.Text = v.Text[4:]
	case '*', '~', '%':
		if v.Kind = d.null("*-1\r\n", kind); v.Kind == kind {
			v.Elems = d.aggregate(kind, depth)
		}
	case '|':
		d.elements(2*d.length(), depth)
		return d.value(depth)
	default:
		d.must(false)
	}
	d.must(err == nil)
	return v
}

// aggregate reads the elements of an array, set or map, counted or streamed.
func (d *naiveReader) aggregate(kind resp.Kind, depth int) (elems []resp.Value) {
	if !d.cut("?\r\n") {
		n := d.length()
		if kind == '%' {
			n *= 2
		}
		return d.elements(n, depth)
	}
	d.must(depth < d.limits.Depth)
	for !d.cut(".\r\n") {
		elems = append(elems, d.value(depth+1))
	}
	d.must(kind == '*' || kind == '~' || len(elems)%2 == 0)
	return elems
}

func (d *naiveReader) elements(n, depth int) (elems []resp.Value) {
	d.must(depth < d.limits.Depth)
	for range n {
		elems = append(elems, d.value(depth+1))
	}
	return elems
}

// bulk reads the rest of a bulk string, whole or streamed.
func (d *naiveReader) bulk() (text string) {
	if !d.cut("?\r\n") {
		return d.bytes(d.length())
	}
	for !d.cut(";0\r\n") {
		d.must(d.cut(";"))
		n := d.length()
		d.must(n > 0)
		text += d.bytes(n)
	}
	return text
}

// null is KindNull if what is left, with the type byte before it, begins with form, which it then takes.
func (d *naiveReader) null(form string, kind resp.Kind) resp.Kind {
	if form[0] == byte(kind) && d.cut(form[1:]) {
		return resp.KindNull
	}
	return kind
}

func (d *naiveReader) bytes(n int) string {
	d.need(n + 2)
	text := string(d.left[:n])
	d.left = d.left[n:]
	d.must(d.cut("\r\n"))
	return text
}

func (d *naiveReader) length() int {
	text := d.line()
	n, err := strconv.ParseInt(text, 10, 32)
	d.must(count.MatchString(text) && err == nil)
	return int(n)
}

func (d *naiveReader) line() string {
	text, rest, found := bytes.Cut(d.left, []byte("\r\n"))
	d.must(found && len(text) <= d.limits.Line)
	d.left = rest
	return string(text)
}

func (d *naiveReader) next() byte {
	b := d.left[0]
	d.left = d.left[1:]
	return b
}

// cut takes prefix off what is left, if it is there.
func (d *naiveReader) cut(prefix string) (found bool) {
	d.left, found = bytes.CutPrefix(d.left, []byte(prefix))
	return found
}

func (d *naiveReader) need(n int) { d.must(len(d.left) >= n) }

func (d *naiveReader) must(ok bool) {
	if !ok {
		panic(rejected{})
	}
}

func double(text string) (float64, error) {
	switch {
	case infinity.MatchString(text), decimal.MatchString(text):
		return strconv.ParseFloat(text, 64)
	case notNumber.MatchString(text):
		return strconv.ParseFloat("nan", 64)
	}
	return 0, strconv.ErrSyntax
}
