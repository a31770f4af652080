//go:build linux

package redistest_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
)

// envChild makes the test binary start a cluster and come to the end that it names.
const envChild = "SLOTCAST_REDISTEST_CHILD"

// child starts a cluster, one node of it frozen, says so on standard output, and ends as told.
func child(end string) int {
	fmt.Println("starting")
	c, err := redistest.Launch(context.Background(), redistest.Config{})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	if err := c.Node(0).Freeze(); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("started")
	switch end {
	case "exit":
		return 3
	case "panic":
		go panic("as a test whose time is up does")
	}
	select {}
}

// TestNothingIsLeft ends a process that has started a cluster in every way a process ends, and waits until neither a
// process nor a file of it is left.
func TestNothingIsLeft(t *testing.T) {
	if _, err := redistest.Binary(); err != nil {
		redistest.StartServer(t, redistest.ServerConfig{}) // says why there is nothing to test, or fails
	}
	signal := func(s syscall.Signal) func(*os.Process) error {
		return func(p *os.Process) error { return p.Signal(s) }
	}
	itself := func(*os.Process) error { return nil }
	tests := []struct {
		name, end, line string
		kill            func(*os.Process) error
		after           time.Duration // how long after the line
	}{
		{name: "SIGKILL", end: "wait", line: "started", kill: signal(syscall.SIGKILL)},
		{name: "SIGINT", end: "wait", line: "started", kill: signal(syscall.SIGINT)},
		{name: "SIGTERM", end: "wait", line: "started", kill: signal(syscall.SIGTERM)},
		{name: "SIGQUIT", end: "wait", line: "started", kill: signal(syscall.SIGQUIT)},
		{name: "exit", end: "exit", line: "started", kill: itself},
		{name: "panic", end: "panic", line: "started", kill: itself},
	}
	for _, ms := range []int{0, 2, 5, 10, 20, 100} {
		tests = append(tests, tests[0])
		last := &tests[len(tests)-1]
		last.name = fmt.Sprintf("SIGKILL %d ms into the start", ms)
		last.line = "starting"
		last.after = time.Duration(ms) * time.Millisecond
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tmp := t.TempDir()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), envChild+"="+tt.end, "TMPDIR="+tmp)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			defer cmd.Process.Kill()
			lines := bufio.NewScanner(out)
			for lines.Scan() && lines.Text() != tt.line {
			}
			require.Equal(t, tt.line, lines.Text())
			if tt.line == "started" {
				require.NotEmpty(t, leftovers(t, tmp), "the test does not see what it looks for")
			}
			if tt.after > 0 {
				<-time.After(tt.after)
			}
			require.NoError(t, tt.kill(cmd.Process))
			require.Error(t, cmd.Wait(), "ended by force")
			require.Eventually(t, func() bool { return len(leftovers(t, tmp)) == 0 }, 20*time.Second, 20*time.Millisecond,
				"left: %v", leftovers(t, tmp))
		})
	}
}

// leftovers returns the files in a child's temporary folder, and the processes that descend from the child: those that work
// in the folder, or have it as TMPDIR in their environment.
func leftovers(t *testing.T, tmp string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(tmp, "*"))
	require.NoError(t, err)
	processes, err := filepath.Glob("/proc/[0-9]*")
	require.NoError(t, err)
	for _, process := range processes {
		// A process that ends while it is looked at, and a zombie, have neither.
		dir, _ := os.Readlink(filepath.Join(process, "cwd"))
		environ, _ := os.ReadFile(filepath.Join(process, "environ"))
		if strings.HasPrefix(dir, tmp) || strings.Contains(string(environ), "TMPDIR="+tmp) {
			left = append(left, process)
		}
	}
	return left
}
