//go:build !unix

package redistest

import (
	"errors"
	"os"
	"os/exec"
)

var errNotUnix = errors.New("redistest: starts and stops servers on Unix systems only")

func startInGroup(*exec.Cmd, int) error { return errNotUnix }
func freeze(*os.Process) error          { return errNotUnix }
func thaw(*os.Process) error            { return errNotUnix }
