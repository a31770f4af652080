package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/slotcast/slotcast/conn"
)

// A crash is what a client leaves that is killed while it stores keys in one way at one primary.
type crash struct {
	Way      string `json:"way"`
	When     string `json:"when"`
	Keys     int    `json:"keys"`     // that it had to store
	There    int    `json:"there"`    // that exist afterwards
	Stranded int    `json:"stranded"` // of those, without a time to live
}

// crashes lets a client die in each way that every server knows, for one slot, and deletes what it leaves.
func (b *writeBatch) crashes(ctx context.Context) (all []crash, err error) {
	g := b.largest()
	keys := make([]string, len(g.indexes))
	for j, i := range g.indexes {
		keys[j] = b.items.keys[i]
	}
	half := group{g.node, g.indexes[:len(g.indexes)/2]}
	for _, way := range []struct {
		name, when string
		writer     writer
		group      group
	}{
		{"SET EX, a pipeline", "half of the keys are stored", setEX, half},
		{"MSET, then EXPIRE per key", "MSET is answered, EXPIRE not sent", mset, g},
		{"a script", "the script is answered", eval, g},
	} {
		if _, err := b.cluster.unlink(ctx); err != nil {
			return nil, err
		}
		if err := b.cluster.dieAfter(ctx, b.request(way.writer, way.group)); err != nil {
			return nil, err
		}
		there, forever, err := b.cluster.lifetimes(ctx, keys)
		if err != nil {
			return nil, err
		}
		all = append(all, crash{way.name, way.when, len(keys), there, forever})
	}
	_, err = b.cluster.unlink(ctx)
	return all, err
}

// largest is the group with the most items.
func (b *writeBatch) largest() (g group) {
	for _, groups := range b.groups {
		for _, other := range groups {
			if len(other.indexes) > len(g.indexes) {
				g = other
			}
		}
	}
	return g
}

// crashEnv makes this program, or its tests, be the client that dies.
const crashEnv = "SLOTCAST_LAB_CRASH"

// crashPlan is what that client is told on its standard input.
type crashPlan struct {
	Addr, Username, Password string
	TLS                      bool
	Request                  []byte
	Replies                  int
}

// dieAfter starts a process that sends a request, reads its replies, and then kills itself.
func (c *cluster) dieAfter(ctx context.Context, q request) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	plan, err := json.Marshal(crashPlan{q.node.addr, c.conn.Username, c.conn.Password, c.conn.TLS != nil, q.write(nil), q.replies})
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), crashEnv+"=1")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(plan), &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL && ctx.Err() == nil {
			return nil
		}
	}
	return fmt.Errorf("the client that was to die: %w: %s", errors.Join(err, ctx.Err()), bytes.TrimSpace(stderr.Bytes()))
}

// crashIfAsked is the client that dies. It returns at once in any other process.
func crashIfAsked() {
	if os.Getenv(crashEnv) == "" {
		return
	}
	if err := sendAndDie(); err != nil {
		fmt.Fprintln(os.Stderr, oneLine(err))
	}
	os.Exit(1)
}

func sendAndDie() error {
	var plan crashPlan
	if err := json.NewDecoder(os.Stdin).Decode(&plan); err != nil {
		return err
	}
	cfg := conn.Config{Username: plan.Username, Password: plan.Password}
	if plan.TLS {
		cfg.TLS = &tls.Config{}
	}
	c, err := conn.Dial(context.Background(), plan.Addr, &cfg)
	if err != nil {
		return err
	}
	c.SetLimit(time.Now().Add(exchangeTime))
	c.Commit(append(c.Out(), plan.Request...), plan.Replies)
	for done := false; !done; {
		if done, err = c.Flush(); err != nil {
			return err
		}
	}
	for range plan.Replies {
		v, err := c.Reader().Value()
		if err = errors.Join(err, v.Err()); err != nil {
			return err
		}
		c.Received()
	}
	return syscall.Kill(os.Getpid(), syscall.SIGKILL)
}
