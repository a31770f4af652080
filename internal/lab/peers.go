package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/slotcast/slotcast/internal/redistest"
)

// peers runs the quick comparison of internal/compare, a module of its own, with this library, go-redis and rueidis.
type peers struct {
	rounds int
	turn   time.Duration
	folder string
}

func newPeers() *peers { return &peers{} }

func (x *peers) about() string {
	return "the quick comparison with go-redis and rueidis, always on a throwaway cluster"
}

func (x *peers) levers(f *flag.FlagSet) {
	f.IntVar(&x.rounds, "rounds", 8, "turns of each client, 1 to 1000")
	f.DurationVar(&x.turn, "turn", 60*time.Millisecond, "duration of a turn, 1ms to 10s")
	f.StringVar(&x.folder, "compare", "", "`folder` of internal/compare; default: looked for from here upwards")
}

func (x *peers) check() error {
	if x.turn < time.Millisecond || x.turn > 10*time.Second {
		return fmt.Errorf("-turn %v is not within 1ms and 10s", x.turn)
	}
	return within("rounds", x.rounds, 1, 1000)
}

// peersResult is what internal/compare measured.
type peersResult struct {
	Server  string       `json:"server"`
	Pairs   int          `json:"pairs"`
	Shards  int          `json:"primaries"`
	Hits    int          `json:"hits_percent"`
	Clients []peerClient `json:"clients"`
}

// peerClient is one client's way to get or set the batch. Field names are those of internal/compare's lines.
type peerClient struct {
	Client    string  `json:"client"`
	Name      string  `json:"name"`
	Op        string  `json:"op"`
	Tagged    bool    `json:"tagged"`
	P50       float64 `json:"p50_us"`
	P99       float64 `json:"p99_us"`
	ClientCPU float64 `json:"client_cpu_us"`
	ServerCPU float64 `json:"server_cpu_us"`
	Allocs    float64 `json:"allocs"`
	Commands  float64 `json:"commands_per_primary"`
}

// contenders of the quick comparison.
const contenders = "^(limit|slotcast|go-redis|rueidis)"

func (x *peers) run(ctx context.Context, l *lab) (result, error) {
	if len(l.addrs) > 0 {
		return nil, refuse("peers starts a cluster of its own: -addrs has no use here")
	}
	if _, err := redistest.Binary(); err != nil {
		return nil, &refusal{err}
	}
	folder, err := x.find()
	if err != nil {
		return nil, &refusal{err}
	}
	tmp, err := os.MkdirTemp("", "slotcast-lab-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	program, lines := filepath.Join(tmp, "compare"), filepath.Join(tmp, "lines")
	l.say("peers: building internal/compare")
	if err := execute(ctx, folder, "go", "build", "-o", program, "."); err != nil {
		return nil, err
	}
	l.say("peers: %d turns of %v for each client", x.rounds, x.turn)
	err = execute(ctx, folder, program, "-quick", "-json", lines, "-contenders", contenders,
		"-rounds", fmt.Sprint(x.rounds), "-turn", x.turn.String(), "-seed", fmt.Sprint(l.seed))
	if err != nil {
		return nil, err
	}
	f, err := os.Open(lines)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readPeers(f)
}

// find returns the folder of internal/compare.
func (x *peers) find() (string, error) {
	if x.folder != "" {
		if _, err := os.Stat(filepath.Join(x.folder, "go.mod")); err != nil {
			return "", fmt.Errorf("-compare: %w", err)
		}
		return x.folder, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		folder := filepath.Join(dir, "internal", "compare")
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("peers needs a checkout of the repository: there is no internal/compare here or above; -compare names its folder")
		}
	}
}

// execute runs a program in a folder. When ctx ends it is interrupted, so that it can clean up.
func execute(ctx context.Context, folder, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = folder, &stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = cleanUpTime
	if err := cmd.Run(); err != nil {
		text := bytes.TrimSpace(stderr.Bytes())
		return fmt.Errorf("%s: %w: %s", filepath.Base(name), err, text[max(0, len(text)-400):])
	}
	return nil
}

// readPeers reads lines of internal/compare, all of one cell.
func readPeers(r io.Reader) (*peersResult, error) {
	res := &peersResult{}
	s := bufio.NewScanner(r)
	for s.Scan() {
		var line struct {
			Server    string `json:"server"`
			Pairs     int    `json:"pairs"`
			Primaries int    `json:"primaries"`
			Hits      int    `json:"hits"`
			peerClient
		}
		if err := json.Unmarshal(s.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("a line of internal/compare: %w", err)
		}
		res.Server, res.Pairs, res.Shards, res.Hits = line.Server, line.Pairs, line.Primaries, line.Hits
		res.Clients = append(res.Clients, line.peerClient)
	}
	if res.ours("get") == nil || res.best("get", true) == nil {
		return nil, errors.Join(s.Err(), errors.New("internal/compare measured neither this library nor a peer"))
	}
	return res, s.Err()
}

// ours is this library's line; nil if there is none.
func (r *peersResult) ours(op string) *peerClient { return r.of("slotcast", op) }

func (r *peersResult) of(client, op string) *peerClient {
	for i := range r.Clients {
		if c := &r.Clients[i]; c.Client == client && c.Op == op {
			return c
		}
	}
	return nil
}

// best is the peer with the least time among those with tags, or without.
func (r *peersResult) best(op string, tagged bool) (best *peerClient) {
	for i := range r.Clients {
		c := &r.Clients[i]
		if c.Op == op && c.Tagged == tagged && c.Client != "slotcast" && c.Client != "limit" && (best == nil || c.P50 < best.P50) {
			best = c
		}
	}
	return best
}

func (c *peerClient) label() string { return strings.TrimSpace(c.Client + " " + c.Name) }
