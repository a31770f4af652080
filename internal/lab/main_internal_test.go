package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
)

func TestMain(m *testing.M) {
	crashIfAsked()
	os.Exit(m.Run())
}

// lab runs the program and returns what it printed.
func runLab(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, &out, &errs)
	return status, out.String(), errs.String()
}

// ok runs the program, which must succeed, and returns its output.
func ok(t *testing.T, args ...string) string {
	t.Helper()
	status, stdout, stderr := runLab(t, args...)
	require.Equal(t, 0, status, stderr)
	return stdout
}

func TestErrorsAreOneLineAndStatusTwo(t *testing.T) {
	single := redistest.StartServer(t, redistest.ServerConfig{})
	guarded := redistest.StartServer(t, redistest.ServerConfig{Password: "secret"})
	cluster := redistest.Start(t, redistest.Config{Primaries: 1, Config: []string{
		"user ann on >secret ~* +@all -@write", "user bob on >secret ~other:* +@all", "user eve on >secret ~* +@all -info"}})
	t.Setenv(passwordEnv, "secret")
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"unknown experiment", []string{"fast"}, `no experiment "fast": there are walk, fanout`},
		{"unknown flag", []string{"walk", "-fast"}, "-fast"},
		{"argument", []string{"codec", "fast"}, `unexpected argument "fast"`},
		{"not a number", []string{"walk", "-primaries", "many"}, "-primaries"},
		{"too many primaries", []string{"walk", "-primaries", "1001"}, "-primaries 1001 is not within 1 and 1000"},
		{"tags without room", []string{"walk", "-primaries", "1000", "-tags", "1000"}, "seats"},
		{"a template without a hole", []string{"walk", "-primaries", "3", "-template", "routing"}, "routing"},
		{"a list that is none", []string{"tags", "-tags", "1,x"}, `-tags "1,x" is not a list of numbers`},
		{"a resolution above the key's", []string{"hotspot", "-origin", "12"}, "-origin 12 is not within"},
		{"a time of day out of the evening", []string{"hotspot", "-at", "9h"}, "-at 9h0m0s is not within"},
		{"resolutions upside down", []string{"resolution", "-from", "9", "-to", "6"}, "-to 6 is not within 9 and 15"},
		{"an experiment to skip that is none", []string{"report", "-skip", "all"}, "-skip all"},
		{"results that are not there", []string{"report", "-from", "none.json"}, "none.json"},
		{"results that are none", []string{"report", "-from", "main.go"}, "main.go: invalid character"},
		{"user without addresses", []string{"write", "-user", "ann"}, "are for -addrs"},
		{"peers with addresses", []string{"peers", "-addrs", cluster.Addrs()[0]}, "-addrs has no use here"},
		{"no such folder of peers", []string{"peers", "-compare", "none"}, "none"},
		{"no server", []string{"fanout", "-addrs", "127.0.0.1:1"}, "127.0.0.1:1"},
		{"not a cluster", []string{"write", "-addrs", single.Addr}, "cluster support disabled"},
		{"wrong password", []string{"tags", "-addrs", guarded.Addr, "-user", "nobody"}, "WRONGPASS"},
		{"a cluster one may not write to", []string{"hotspot", "-addrs", cluster.Addrs()[0], "-user", "ann"}, "cannot write to " + cluster.Addrs()[0] + ": NOPERM"},
		{"a cluster one may write elsewhere in", []string{"fanout", "-addrs", cluster.Addrs()[0], "-user", "bob"}, "cannot write to"},
		{"a cluster that does not count for one", []string{"fanout", "-addrs", cluster.Addrs()[0], "-user", "eve"}, "INFO commandstats: NOPERM"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, stdout, stderr := runLab(t, test.args...)
			assert.Equal(t, 2, status)
			assert.Empty(t, stdout)
			assert.Contains(t, stderr, test.want)
			assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
			assert.True(t, strings.HasPrefix(stderr, "lab: "), stderr)
			assert.NotContains(t, stderr, "secret")
		})
	}
	t.Run("no server installed", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		t.Setenv(redistest.EnvServer, "")
		status, _, stderr := runLab(t, "write")
		assert.Equal(t, 2, status)
		assert.Contains(t, stderr, "apt-get install redis-server")
	})
	t.Run("another lab of the same seed", func(t *testing.T) {
		_, err := cluster.Node(0).Do("SET", "slotcast:lab:7:lock", "1", "PX", "60000")
		require.NoError(t, err)
		status, _, stderr := runLab(t, "fanout", "-addrs", cluster.Addrs()[0], "-seed", "7")
		assert.Equal(t, 2, status)
		assert.Contains(t, stderr, "another lab of -seed 7")
		v, err := cluster.Node(0).Do("EXISTS", "slotcast:lab:7:lock")
		require.NoError(t, err)
		assert.EqualValues(t, 1, v.Int, "the lock of the other lab is gone")
	})
}

func TestHelp(t *testing.T) {
	assert.Contains(t, ok(t, "-h"), "hotspot")
	for _, name := range names() {
		help := ok(t, name, "-h")
		for _, flag := range []string{"-addrs", "-json", "-seed"} {
			assert.Contains(t, help, flag, name)
		}
	}
}
