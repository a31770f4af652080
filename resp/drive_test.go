package resp_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
)

type limits = resp.Limits

func TestMain(m *testing.M) {
	resp.SetPoison(true)
	m.Run()
}

// drivers are the ways to read a stream. Each reads one reply and renders it.
var drivers = []struct {
	name string
	read func(r *resp.Reader) (string, error)
}{
	{"Value", func(r *resp.Reader) (string, error) {
		v, err := again(forever, r.Value)
		return render(v), err
	}},
	{"cursor", func(r *resp.Reader) (string, error) { return walk(r, forever) }},
}

// reused reads most of the corpus, one stream after the other: as a new reader would, were it not for its buffer.
var reused = resp.NewReader(nil, small)

// transcript reads all of src and returns what it saw, pushes included, and the error at the end.
func transcript(r *resp.Reader, src io.Reader, read func(r *resp.Reader) (string, error)) (got []string, end error) {
	r.Reset(src)
	r.OnPush = func(push resp.Value) { got = append(got, ">"+render(push)) }
	for {
		reply, err := read(r)
		if err != nil {
			return got, err
		}
		got = append(got, reply)
	}
}

// check requires that src reads as s says, with any driver.
func (s stream) check(t *testing.T, src func() io.Reader) {
	t.Helper()
	for _, d := range drivers {
		got, err := transcript(reused, src(), d.read)
		require.Equal(t, s.want, got, d.name)
		s.checkEnd(t, err)
	}
	// Skip accepts what the others accept.
	reused.Reset(src())
	reused.OnPush = nil
	skip := func() (any, error) { return nil, reused.Skip() }
	for range countReplies(s.want) {
		_, err := again(forever, skip)
		require.NoError(t, err, "Skip")
	}
	_, err := again(forever, skip)
	s.checkEnd(t, err)
}

// countReplies counts the lines of a transcript that are no pushes.
func countReplies(lines []string) (n int) {
	for _, line := range lines {
		if !strings.HasPrefix(line, ">") {
			n++
		}
	}
	return n
}

func (s stream) checkEnd(t *testing.T, err error) {
	t.Helper()
	switch s.end {
	case eof:
		require.Equal(t, io.EOF, err)
	case cut:
		require.Equal(t, io.ErrUnexpectedEOF, err)
	default:
		var protocol *resp.ProtocolError
		require.ErrorAs(t, err, &protocol)
		require.Contains(t, protocol.Error(), s.end)
	}
}

const forever = 1 << 30

// again makes a call until it does not time out, up to the given number of times.
func again[T any](times int, call func() (T, error)) (v T, err error) {
	for range times {
		if v, err = call(); !isTimeout(err) {
			break
		}
	}
	return v, err
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// render writes a value the way the corpus does.
func render(v resp.Value) string {
	switch v.Kind {
	case resp.KindNull:
		return "nil"
	case resp.KindInt:
		return fmt.Sprintf(":%d", v.Int)
	case resp.KindDouble:
		return fmt.Sprintf(",%v", v.Float)
	case resp.KindBool:
		return fmt.Sprintf("#%v", v.Int == 1)
	case resp.KindBigNumber:
		return "(" + v.Text
	case resp.KindError:
		return "-" + v.Text
	case resp.KindSimple, resp.KindBulk, resp.KindVerbatim:
		return fmt.Sprintf("%q", v.Text)
	}
	elems := make([]string, len(v.Elems))
	for i, e := range v.Elems {
		elems[i] = render(e)
	}
	return enclose(v.Kind, elems)
}

func enclose(k resp.Kind, elems []string) string {
	text := strings.Join(elems, " ")
	switch k {
	case resp.KindArray, resp.KindPush:
		return "[" + text + "]"
	case resp.KindSet:
		return "(" + text + ")"
	case resp.KindMap:
		return "{" + text + "}"
	}
	return "?" + k.String()
}

// walk reads the next value with the cursor's calls, each of them made up to the given number of times when it times out.
func walk(r *resp.Reader, times int) (string, error) {
	k, err := again(times, r.Kind)
	if err != nil {
		return "", err
	}
	switch k {
	case resp.KindNull, resp.KindSimple, resp.KindBulk, resp.KindVerbatim:
		b, err := again(times, r.Bulk)
		if err == nil && b == nil {
			return "nil", nil
		}
		return fmt.Sprintf("%q", b), err
	case resp.KindInt:
		v, err := again(times, r.Int)
		return fmt.Sprintf(":%d", v), err
	case resp.KindDouble:
		v, err := again(times, r.Double)
		return fmt.Sprintf(",%v", v), err
	case resp.KindBool:
		v, err := again(times, r.Bool)
		return fmt.Sprintf("#%v", v), err
	case resp.KindBigNumber:
		v, err := again(times, r.BigNumber)
		return fmt.Sprintf("(%s", v), err
	case resp.KindError, resp.KindBlobError:
		v, err := again(times, r.ErrorText)
		return fmt.Sprintf("-%s", v), err
	case resp.KindArray, resp.KindSet:
		_, err = again(times, r.Array)
	case resp.KindMap:
		_, err = again(times, r.Map)
	default:
		return "", fmt.Errorf("walk: %v", k)
	}
	if err != nil {
		return "", err
	}
	var elems []string
	for r.More() {
		elem, err := walk(r, times)
		if err == resp.ErrEnd {
			continue // More timed out
		}
		if err != nil {
			return "", err
		}
		elems = append(elems, elem)
	}
	return enclose(k, elems), nil
}

func TestRender(t *testing.T) {
	assert.Equal(t, `["a" nil :1]`, render(resp.Value{Kind: resp.KindArray, Elems: []resp.Value{
		{Kind: resp.KindBulk, Text: "a"}, {Kind: resp.KindNull}, {Kind: resp.KindInt, Int: 1},
	}}))
}
