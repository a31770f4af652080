package redistest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// guard owns a temporary folder and the process group that all servers of one cluster join, and outlives this process to
// clean up both.
//
// Two small processes read a pipe whose other end only this process holds: the anchor, which keeps the process group in
// being while no server runs, and the reaper. The kernel closes the pipe when this process ends, in whatever way. The reaper
// then kills the group and removes the folder. A server that is just being forked holds the pipe too until its exec, and
// has joined the group before it: none can slip through.
type guard struct {
	dir    string
	pipe   *os.File // the end that is held; closing it ends everything
	anchor *exec.Cmd
	reaper *exec.Cmd
}

// dirPrefix makes the folder recognisable to the reaper, which removes nothing else, and to whoever finds one.
const dirPrefix = "slotcast-redis-"

const reaperScript = `trap '' HUP INT TERM
read -r _
kill -s KILL -- "-$1" 2>/dev/null
case "$2" in
*/` + dirPrefix + `*)
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		rm -rf -- "$2" 2>/dev/null && break
		sleep 0.1
	done
esac`

func newGuard() (*guard, error) {
	tmp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("redistest: %w", err)
	}
	// The folder is made after the reaper: this process may end between any two lines.
	g := &guard{dir: filepath.Join(tmp, dirPrefix+rand.Text())}
	err = g.start()
	if err == nil {
		err = os.Mkdir(g.dir, 0o700)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("redistest: guard: %w", err), g.close())
	}
	return g, nil
}

func (g *guard) start() error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	g.pipe = w

	anchor := exec.Command("cat")
	anchor.Stdin = r
	if err := startInGroup(anchor, 0); err != nil {
		return err
	}
	g.anchor = anchor

	reaper := exec.Command("sh", "-c", reaperScript, "redistest-reaper", strconv.Itoa(g.group()), g.dir)
	reaper.Stdin = r
	reaper.Dir = filepath.Dir(g.dir)
	if err := startInGroup(reaper, 0); err != nil {
		return err
	}
	g.reaper = reaper
	return nil
}

// group is the process group that servers join.
func (g *guard) group() int { return g.anchor.Process.Pid }

// close makes the reaper do its work now, and waits for it. The servers' processes are to be waited for by whoever started
// them.
func (g *guard) close() error {
	if g.pipe != nil {
		g.pipe.Close()
	}
	if g.reaper != nil {
		_ = g.reaper.Wait() // its exit code says nothing: the group may have been empty
	}
	if g.anchor != nil {
		_ = g.anchor.Wait()
	}
	return os.RemoveAll(g.dir)
}
