package fuzz_test

import (
	"io"
	"math"
	"os"
)

// source is a stream that arrives in pieces. Each read takes the next byte of the plan, which begins anew at its end:
// timesOut is a read that times out, withTimeout one that brings a byte and times out, withEnd one that brings the error
// at the end of the stream along with its last byte, any other the number of bytes to bring, 0 included.
// Without a plan all bytes come with the first read.
type source struct {
	left []byte
	plan []byte

	at       int
	idle     int // reads without a byte, in a row
	timeouts int
}

const (
	timesOut    = 0xff
	withTimeout = 0xfe
	withEnd     = 0xfd

	// mostIdle is less than the reader's patience with reads that bring nothing.
	mostIdle = 90
)

func (s *source) Read(p []byte) (int, error) {
	step := s.next()
	switch {
	case step == timesOut:
		s.idle++
		s.timeouts++
		return 0, os.ErrDeadlineExceeded
	case step == 0:
		s.idle++
		return 0, nil
	case len(s.left) == 0:
		return 0, io.EOF
	case step == withTimeout:
		s.timeouts++
		return s.take(p, 1), os.ErrDeadlineExceeded
	case step == withEnd:
		if n := s.take(p, len(s.left)); len(s.left) == 0 {
			return n, io.EOF
		} else {
			return n, nil
		}
	}
	return s.take(p, step), nil
}

func (s *source) next() int {
	if len(s.plan) == 0 {
		return math.MaxInt
	}
	step := int(s.plan[s.at%len(s.plan)])
	s.at++
	if s.idle >= mostIdle && (step == 0 || step == timesOut) {
		return 1
	}
	return step
}

func (s *source) take(p []byte, n int) int {
	s.idle = 0
	n = copy(p, s.left[:min(n, len(s.left))])
	s.left = s.left[n:]
	return n
}
