//go:build unix

package redistest

import (
	"os"
	"os/exec"
	"syscall"
)

// startInGroup starts cmd in the given process group, or in one of its own when that is 0, so that a Ctrl-C in the terminal
// reaches the test only.
func startInGroup(cmd *exec.Cmd, group int) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
	return cmd.Start()
}

func freeze(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }
func thaw(p *os.Process) error   { return p.Signal(syscall.SIGCONT) }
