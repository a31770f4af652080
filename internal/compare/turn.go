package main

import (
	"fmt"
	"runtime"
	"time"
)

// turn measures one group of batches of a contender.
func (r *runner) turn() error {
	cluster := r.scene.cluster
	runtime.GC()
	if err := r.run(1); err != nil {
		return fmt.Errorf("%v: %w", r, err)
	}
	scripts := r.set && r.tagged && !r.singly
	commands, err := serverCommands(cluster, scripts)
	if err != nil {
		return err
	}
	servers, err := serverCPU(cluster)
	if err != nil {
		return err
	}
	sent := r.meter.now()
	start, err := before()
	if err != nil {
		return err
	}

	if err := r.run(r.group); err != nil {
		return fmt.Errorf("%v: %w", r, err)
	}

	end, err := after()
	if err != nil {
		return err
	}
	sent = r.meter.now().since(sent)
	serversEnd, err := serverCPU(cluster)
	if err != nil {
		return err
	}
	commandsEnd, err := serverCommands(cluster, scripts)
	if err != nil {
		return err
	}
	for _, w := range r.workers {
		r.tally.walls = append(r.tally.walls, w.walls...)
	}
	r.tally.turns = append(r.tally.turns, turn{
		batches:   r.group * len(r.workers),
		elapsed:   end.at.Sub(start.at),
		clientCPU: end.cpu - start.cpu,
		mallocs:   end.mallocs - start.mallocs,
		bytes:     end.bytes - start.bytes,
		serverCPU: serversEnd - servers,
		commands:  commandsEnd - commands,
		traffic:   sent,
	})
	return r.check()
}

// A turn is what one group of batches cost.
type turn struct {
	batches        int
	elapsed        time.Duration
	clientCPU      time.Duration
	serverCPU      time.Duration
	mallocs, bytes uint64
	commands       int64
	traffic        traffic
}
