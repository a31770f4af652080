package main

import (
	"context"
	"fmt"
	"runtime"
	"syscall"
	"time"
)

// A way is one way of doing the same thing, to be compared with others.
type way struct {
	name    string
	run     func(context.Context) error
	prepare func(context.Context) error // before each turn, not measured; may be nil
}

// figures of a way. Times are per run, in microseconds.
type cost struct {
	Name       string         `json:"name"`
	Commands   []int          `json:"commands"`      // of one run, by primary
	Wall       float64        `json:"wall_us"`       // median of all runs
	ClientCPU  float64        `json:"client_cpu_us"` // median of the turns
	ServerCPU  []float64      `json:"server_cpu_us"` // by primary, mean of all turns
	BytesOut   int            `json:"bytes_out,omitempty"`
	Kinds      map[string]int `json:"kinds"` // commands of one run by name, all primaries
	walls      []float64
	clientCPUs []float64
	runs       int
}

// total is the number of commands at all primaries.
func (c *cost) total() int { return sum(c.Commands) }

// server is the CPU time of all primaries.
func (c *cost) server() float64 { return sum(c.ServerCPU) }

// turns measures the ways against each other. Each runs once with the servers counting; then they take turns, A B C A B C and
// so on, so that a machine that gets slower meanwhile slows all of them. A turn is a group of runs, long enough for the clocks
// to resolve. Runs before the first, uncounted, fill pools and load scripts.
func (c *cluster) turns(ctx context.Context, ways []way, rounds, group int) ([]cost, error) {
	costs := make([]cost, len(ways))
	for i, w := range ways {
		costs[i].Name = w.name
		if err := c.counted(ctx, w, &costs[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
	}
	for range rounds {
		for i, w := range ways {
			if err := c.turn(ctx, w, &costs[i], group); err != nil {
				return nil, fmt.Errorf("%s: %w", w.name, err)
			}
		}
	}
	for i := range costs {
		k := &costs[i]
		k.Wall, k.ClientCPU = median(k.walls), median(k.clientCPUs)
		for j := range k.ServerCPU {
			k.ServerCPU[j] /= float64(k.runs)
		}
	}
	return costs, nil
}

// counted runs w twice, and has the servers count the second time.
func (c *cluster) counted(ctx context.Context, w way, k *cost) error {
	var before []load
	for range 2 {
		var err error
		if w.prepare != nil {
			if err = w.prepare(ctx); err != nil {
				return err
			}
		}
		if before, err = c.loads(ctx); err != nil {
			return err
		}
		if err := w.run(ctx); err != nil {
			return err
		}
	}
	after, err := c.loads(ctx)
	if err != nil {
		return err
	}
	k.Kinds = map[string]int{}
	for i := range after {
		done := after[i].since(before[i])
		k.Commands = append(k.Commands, done.total())
		for _, name := range dataCommands {
			if n := done.commands[name]; n > 0 {
				k.Kinds[name] += n
			}
		}
	}
	k.ServerCPU = make([]float64, len(after))
	return nil
}

// turn runs w group times.
func (c *cluster) turn(ctx context.Context, w way, k *cost, group int) error {
	if w.prepare != nil {
		if err := w.prepare(ctx); err != nil {
			return err
		}
	}
	runtime.GC() // nobody pays for a neighbour's garbage
	before, err := c.loads(ctx)
	if err != nil {
		return err
	}
	cpu := clientCPU()
	for range group {
		begin := time.Now()
		if err := w.run(ctx); err != nil {
			return err
		}
		k.walls = append(k.walls, micros(time.Since(begin)))
	}
	k.clientCPUs = append(k.clientCPUs, micros(clientCPU()-cpu)/float64(group))
	after, err := c.loads(ctx)
	if err != nil {
		return err
	}
	for i := range after {
		k.ServerCPU[i] += micros(after[i].cpu - before[i].cpu)
	}
	k.runs += group
	return nil
}

// clientCPU is what this process has used, user and system.
func clientCPU() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0 // it fails for a bad argument only
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
