package redistest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
)

func TestBinaries(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700))
		return path
	}
	other := file("other")
	for _, tt := range []struct {
		name, path, server, servers string
		want                        []string
	}{
		{name: "none"},
		{name: "of PATH", path: filepath.Dir(file("redis-server")), want: []string{dir + "/redis-server"}},
		{name: "named", path: dir, server: other, want: []string{other}},
		{name: "several", path: dir, servers: other + ":/missing", want: []string{dir + "/redis-server", other, "/missing"}},
		{name: "twice the same", server: other, servers: other + "::" + other, want: []string{other}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("PATH", tt.path)
			t.Setenv(redistest.EnvServer, tt.server)
			t.Setenv(redistest.EnvServers, tt.servers)
			assert.Equal(t, tt.want, redistest.Binaries())
		})
	}
}

// TestWithoutServer runs a test of this package where no server is installed.
func TestWithoutServer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, require, want string
		ok                  bool
	}{
		{"skipped with its reason", "", "--- SKIP: TestStartServer", true},
		{"skipped where it says so", "0", "--- SKIP: TestStartServer", true},
		{"failed where servers are required", "1", "--- FAIL: TestStartServer", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestStartServer$", "-test.v")
			cmd.Env = append(os.Environ(), "PATH=", redistest.EnvServer+"=", redistest.EnvRequire+"="+tt.require)
			out, err := cmd.CombinedOutput()
			assert.Equal(t, tt.ok, err == nil, "%v", err)
			assert.Contains(t, string(out), tt.want)
			assert.Contains(t, string(out), "no redis-server and no valkey-server on PATH")
		})
	}
}
