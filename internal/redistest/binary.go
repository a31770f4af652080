package redistest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// The environment variables that choose servers.
const (
	// EnvServer names the binary to use where a test does not name one; default: redis-server, else valkey-server, of PATH.
	EnvServer = "SLOTCAST_REDIS_SERVER"
	// EnvServers lists further binaries for the tests that want several kinds of servers, separated as in PATH.
	EnvServers = "SLOTCAST_SERVERS"
	// EnvRequire, when set and not 0, makes a test fail instead of being skipped where there is no server.
	EnvRequire = "SLOTCAST_REQUIRE_REDIS"
)

// ErrNoServer is returned, wrapped, by Launch and LaunchServer when no binary was named and PATH has none.
var ErrNoServer = errors.New("no redis-server and no valkey-server on PATH (on Debian: apt-get install redis-server), and " +
	EnvServer + " is not set")

// Binary returns the path of the server binary used by default.
func Binary() (string, error) {
	if named := os.Getenv(EnvServer); named != "" {
		return lookPath(named)
	}
	for _, name := range []string{"redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoServer
}

// Binaries returns the default binary, if there is one, and those of EnvServers: what a test runs over that must hold for
// every kind of server. A listed binary that does not exist is kept, so that the test which starts it says so.
func Binaries() []string {
	var paths []string
	if path, err := Binary(); err == nil {
		paths = append(paths, path)
	}
	for _, path := range filepath.SplitList(os.Getenv(EnvServers)) {
		if path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

func lookPath(name string) (string, error) {
	if name == "" {
		return Binary()
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("redistest: server binary: %w", err)
	}
	return filepath.Abs(path)
}
