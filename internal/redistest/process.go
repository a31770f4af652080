package redistest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// errPortTaken says that somebody else listens on the server's port or bus port.
var errPortTaken = errors.New("port taken")

// pollInterval is the pause between two looks at another process.
const pollInterval = 10 * time.Millisecond

// process is one life of a server.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended and been waited for
}

func (p *process) exited() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// spawn starts the process and waits until it answers; on an error nothing runs.
func (s *Server) spawn(ctx context.Context) error {
	log, err := os.OpenFile(s.logPath(), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()

	cmd := exec.Command(s.binary, s.confPath())
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, log, log
	if err := startInGroup(cmd, s.guard.group()); err != nil {
		return fmt.Errorf("redistest: %s: %w", s.binary, err)
	}
	proc := &process{cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // the exit code says nothing that the log does not
		close(proc.done)
	}()

	s.mu.Lock()
	s.proc, s.frozen = proc, false
	s.mu.Unlock()
	if err := s.awaitAnswer(ctx, proc); err != nil {
		tail := s.logTail()
		s.Kill()
		if strings.Contains(tail, "Address already in use") || strings.Contains(tail, "Failed listening") {
			err = errPortTaken
		}
		return fmt.Errorf("redistest: %s on %s does not start: %w; its log ends:\n%s", s.binary, s.Addr, err, tail)
	}
	return nil
}

// awaitAnswer polls until the server has loaded its data and answers.
func (s *Server) awaitAnswer(ctx context.Context, proc *process) error {
	return poll(ctx, func() error {
		if proc.exited() {
			return final(errors.New("exited"))
		}
		info, err := s.Info(ctx, "server")
		if err == nil && info["process_id"] != fmt.Sprint(proc.cmd.Process.Pid) {
			return fmt.Errorf("process %s answers instead of %d", info["process_id"], proc.cmd.Process.Pid)
		}
		return err
	})
}

// Kill ends the process at once (SIGKILL), frozen or not, and waits until it is gone. Killing a server that does not run
// is no error.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.proc == nil {
		return nil
	}
	if err := s.proc.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("redistest: kill %s: %w", s.Addr, err)
	}
	<-s.proc.done
	s.proc, s.frozen = nil, false
	s.client.close()
	return nil
}

// Restart starts a killed server again on the same address and with the same cluster identity, without its data, and
// waits until it answers. It does not wait for the cluster: see Cluster.WaitReady.
func (s *Server) Restart(ctx context.Context) error {
	if s.PID() != 0 {
		return fmt.Errorf("redistest: restart %s: still running", s.Addr)
	}
	return poll(ctx, func() error {
		err := s.spawn(ctx)
		if err != nil && !errors.Is(err, errPortTaken) {
			return final(err)
		}
		return err
	})
}

// Freeze stops the process (SIGSTOP): its connections stay open, the kernel still accepts more, and nothing is answered.
func (s *Server) Freeze() error { return s.signal(freeze, true) }

// Thaw lets a frozen process go on (SIGCONT).
func (s *Server) Thaw() error { return s.signal(thaw, false) }

func (s *Server) signal(send func(*os.Process) error, frozen bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.proc == nil {
		return fmt.Errorf("redistest: %s is not running", s.Addr)
	}
	if err := send(s.proc.cmd.Process); err != nil {
		return fmt.Errorf("redistest: %s: %w", s.Addr, err)
	}
	s.frozen = frozen
	return nil
}
