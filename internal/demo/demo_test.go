//go:build cgo

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/slotcast/slotcast/internal/redistest"
)

// asProgram makes the test binary be the demo, for tests that send signals to it.
const asProgram = "SLOTCAST_TEST_AS_DEMO"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// lastLine parses the last line of the output.
func lastLine(t *testing.T, output string) (s summary) {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	d := json.NewDecoder(strings.NewReader(lines[len(lines)-1]))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&s), "last of %d lines", len(lines))
	return s
}

func TestThrowawayCluster(t *testing.T) {
	if _, err := redistest.Binary(); err != nil && os.Getenv(redistest.EnvRequire) == "" {
		t.Skip("needs a real server: " + err.Error())
	}
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), []string{"-pairs", "3000"}, &stdout, &stderr)
	require.Equal(t, 0, status, stderr.String())
	assert.Empty(t, stderr.String())
	assert.Equal(t, summary{
		Primaries: 3, Pairs: 9182, Distinct: 3000, Hits: 8882, Misses: 300,
		MGETPerPrimary: []int{1, 1, 1}, EVALSHAPerPrimary: []int{1, 1, 1},
	}, lastLine(t, stdout.String()))
	assert.Regexp(t, `all +3 +3,000 +3 +0 +3 `, stdout.String(), "tags, keys, EVALSHA, scripts, MGET")
	assert.Contains(t, stdout.String(), `{"primaries":3,"pairs":9182,"distinct":3000,"hits":8882,"misses":300,"failed":0,"wrong":0,`+
		`"mget_per_primary":[1,1,1],"evalsha_per_primary":[1,1,1],"keys_without_ttl":0}`+"\n")
	for line := range strings.Lines(stdout.String()[:strings.LastIndex(stdout.String(), "{")]) {
		assert.LessOrEqual(t, len([]rune(line)), 100, "a line is too long: %s", line)
	}
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Empty(t, left, "temporary files are left behind")
}

// neighbours are keys of somebody else on every primary; some look almost like the demo's.
func neighbours(t *testing.T, c *redistest.Cluster) {
	for i := range 60 {
		key := "somebody:" + strconv.Itoa(i)
		if i%2 == 0 {
			key = "{slotcast:demo:00000000:" + strconv.Itoa(i) + "}89283082a53ffff:892830828efffff:9"
		}
		stored := false
		for _, n := range c.Nodes() {
			if _, err := n.Do("SET", key, strconv.Itoa(i)); err == nil {
				stored = true
			}
		}
		require.True(t, stored)
	}
}

// content returns all keys and values of the cluster, sorted.
func content(t *testing.T, c *redistest.Cluster) (all []string) {
	for _, n := range c.Nodes() {
		keys, err := n.Do("KEYS", "*")
		require.NoError(t, err)
		for _, key := range keys.Elems {
			value, err := n.Do("GET", key.Text)
			require.NoError(t, err)
			all = append(all, key.Text+"="+value.Text)
		}
	}
	slices.Sort(all)
	return all
}

func TestOwnCluster(t *testing.T) {
	c := redistest.Start(t, redistest.Config{Primaries: 3})
	neighbours(t, c)
	before := content(t, c)
	require.Len(t, before, 60)
	addrs := strings.Join(c.Addrs()[:2], ", ")

	for _, test := range []struct {
		name     string
		args     []string
		distinct int
		commands []int
	}{
		{"one tag", []string{"-pairs", "500"}, 500, []int{1, 1, 1}},
		{"four tags", []string{"-pairs", "500", "-tags", "4", "-seed", "2"}, 500, []int{4, 4, 4}},
		{"a larger city", []string{"-pairs", "6000"}, 6000, []int{1, 1, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := run(t.Context(), append([]string{"-addrs", addrs}, test.args...), &stdout, &stderr)
			require.Equal(t, 0, status, stderr.String())
			got := lastLine(t, stdout.String())
			assert.Equal(t, test.distinct, got.Distinct)
			assert.Equal(t, test.distinct/10, got.Misses)
			assert.Equal(t, got.Pairs, got.Hits+got.Misses)
			assert.GreaterOrEqual(t, got.Hits, got.Distinct)
			assert.Equal(t, test.commands, got.MGETPerPrimary)
			assert.Equal(t, test.commands, got.EVALSHAPerPrimary)
			assert.Equal(t, before, content(t, c))
		})
	}

	// At each of these words the demo is in another part of its work.
	for _, word := range []string{"Cluster", "The walk", "Answers"} {
		t.Run("interrupted at "+word, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var stderr bytes.Buffer
			out := writerFunc(func(p []byte) {
				if bytes.Contains(p, []byte(word)) {
					cancel()
				}
			})
			status := run(ctx, []string{"-addrs", addrs}, out, &stderr)
			// After the answers there is nothing left to interrupt but the cleaning up, which is not given up.
			if word != "Answers" {
				assert.Equal(t, 1, status)
				assert.Equal(t, "demo: interrupted; nothing is left behind\n", stderr.String())
			}
			assert.Equal(t, before, content(t, c))
		})
	}

	t.Run("interrupted when the first keys are there", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		size := func() int64 {
			v, err := c.Node(0).Do("DBSIZE")
			assert.NoError(t, err)
			return v.Int
		}
		own := size()
		seen := make(chan struct{})
		go func() {
			defer close(seen)
			defer cancel()
			for ctx.Err() == nil && size() == own {
			}
		}()
		var stderr bytes.Buffer
		status := run(ctx, []string{"-addrs", addrs, "-pairs", "8000"}, io.Discard, &stderr)
		cancel()
		<-seen
		assert.Equal(t, 1, status)
		assert.Equal(t, "demo: interrupted; nothing is left behind\n", stderr.String())
		assert.Equal(t, before, content(t, c))
	})

	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run("a program that gets "+signal.String(), func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-addrs", addrs)
			cmd.Env = append(os.Environ(), asProgram+"=1")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			stdout, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			lines := bufio.NewScanner(stdout)
			for lines.Scan() {
				if strings.HasPrefix(lines.Text(), "Cluster") {
					require.NoError(t, cmd.Process.Signal(signal))
				}
			}
			err = cmd.Wait()
			var exit *exec.ExitError
			if assert.ErrorAs(t, err, &exit) {
				assert.Equal(t, 1, exit.ExitCode(), stderr.String())
			}
			assert.Equal(t, "demo: interrupted; nothing is left behind\n", stderr.String())
			assert.Equal(t, before, content(t, c))
		})
	}

	t.Run("keys without a time to live are seen", func(t *testing.T) {
		s, err := open(t.Context(), options{addrs: c.Addrs(), tags: 1})
		require.NoError(t, err)
		q, err := ask(evening(1, 100), 100)
		require.NoError(t, err)
		require.NoError(t, s.write(t.Context(), q.written, q.estimates))
		primaries, err := dialPrimaries(t.Context(), s.layout, nil)
		require.NoError(t, err)
		defer closeAll(primaries)
		first := keys(s.layout, q.written)[0]
		p := primaries[s.layout.Anchors().List[0].Shard]
		_, err = p.Do(t.Context(), "PERSIST", first[0])
		require.NoError(t, err)
		_, err = p.Do(t.Context(), "DEL", first[1])
		require.NoError(t, err)
		there, forever, err := p.countKeys(t.Context(), first)
		require.NoError(t, err)
		assert.Equal(t, len(first)-1, there)
		assert.Equal(t, 1, forever)
		require.NoError(t, s.close(t.Context()))
		assert.Equal(t, before, content(t, c))
	})
}

// writerFunc is told of each write.
type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

func TestErrorsAreOneLine(t *testing.T) {
	single := redistest.StartServer(t, redistest.ServerConfig{})
	guarded := redistest.StartServer(t, redistest.ServerConfig{Password: "secret"})
	t.Setenv(passwordEnv, "wrong")
	for _, test := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"unknown flag", []string{"-fast"}, 2, "-fast"},
		{"argument", []string{"fast"}, 2, `unexpected argument "fast"`},
		{"too few pairs", []string{"-pairs", "1"}, 2, "-pairs 1 is not within"},
		{"too many pairs", []string{"-pairs", "1000000"}, 2, "-pairs 1000000 is not within"},
		{"too many tags", []string{"-tags", "65"}, 2, "-tags 65 is not within"},
		{"user without addresses", []string{"-user", "ann"}, 2, "are for -addrs"},
		{"no server", []string{"-addrs", "127.0.0.1:1"}, 1, "127.0.0.1:1"},
		{"not a cluster", []string{"-addrs", single.Addr}, 1, "cluster support disabled"},
		{"wrong password", []string{"-addrs", guarded.Addr}, 1, "WRONGPASS"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stderr bytes.Buffer
			status := run(t.Context(), test.args, io.Discard, &stderr)
			assert.Equal(t, test.status, status)
			assert.Contains(t, stderr.String(), test.want)
			assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
			assert.True(t, strings.HasPrefix(stderr.String(), "demo: "), stderr.String())
			assert.NotContains(t, stderr.String(), "secret")
		})
	}
	t.Run("help", func(t *testing.T) {
		var stderr bytes.Buffer
		assert.Equal(t, 0, run(t.Context(), []string{"-h"}, io.Discard, &stderr))
		assert.Contains(t, stderr.String(), "-addrs")
	})
}
