package resp_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/resp"
)

// FuzzReader reads any bytes in every way there is. Nothing panics or goes round for ever, all ways see the same
// replies and the same sort of end, however the bytes arrive.
func FuzzReader(f *testing.F) {
	for _, s := range corpus {
		f.Add([]byte(s.sent))
	}
	f.Add([]byte(nested))
	f.Fuzz(func(t *testing.T, sent []byte) {
		text := string(sent)
		r := resp.NewReader(nil, small)
		want, wantEnd := transcript(r, strings.NewReader(text), drivers[0].read)
		byByte := everyByte(text, timeout)
		for _, src := range []io.Reader{iotest.OneByteReader(strings.NewReader(text)), &byByte} {
			got, end := transcript(r, src, drivers[0].read)
			require.Equal(t, want, got)
			require.Equal(t, wantEnd, end)
		}
		got, end := transcript(r, strings.NewReader(text), drivers[1].read)
		require.Equal(t, want, got)
		require.Equal(t, sortOf(wantEnd), sortOf(end))
		r.Reset(strings.NewReader(text))
		for range countReplies(want) {
			require.NoError(t, r.Skip())
		}
		require.Equal(t, sortOf(wantEnd), sortOf(r.Skip()))
	})
}

// sortOf tells protocol errors, which differ in their words, from the ends of a stream.
func sortOf(err error) error {
	if _, ok := err.(*resp.ProtocolError); ok {
		return &resp.ProtocolError{}
	}
	return err
}
