package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestFigures(t *testing.T) {
	var ta tally
	for i := 1; i <= 100; i++ {
		ta.walls = append(ta.walls, time.Duration(101-i)*time.Microsecond)
	}
	ta.turns = []turn{
		{batches: 10, elapsed: time.Second, clientCPU: time.Millisecond, mallocs: 20, commands: 60, traffic: traffic{writes: 60, bytesOut: 1000}},
		{batches: 10, elapsed: 2 * time.Second, clientCPU: 9 * time.Millisecond, mallocs: 70, commands: 60, traffic: traffic{writes: 120, bytesOut: 1000}},
		{batches: 10, elapsed: 4 * time.Second, clientCPU: 2 * time.Millisecond, mallocs: 0, commands: 60, traffic: traffic{writes: 60, bytesOut: 1000}},
	}
	f := ta.figures(3)
	assert.Equal(t, 30, f.Batches)
	assert.Equal(t, 51.0, f.P50)
	assert.Equal(t, 100.0, f.P99)
	assert.Equal(t, 200.0, f.ClientCPU, "median")
	assert.Equal(t, 400.0, f.ClientMean)
	assert.Equal(t, 2.0, f.Allocs)
	assert.Equal(t, 5.0, f.Rate)
	assert.Equal(t, 2.0, f.Commands)
	assert.InDelta(t, 240.0/90, f.Writes, 1e-9)
	assert.Equal(t, 100.0, f.BytesWritten)
}

func TestBestPeer(t *testing.T) {
	rs := results{
		{Client: "limit", Op: "get", figures: figures{P50: 1, ClientCPU: 1, Rate: 9}},
		{Client: "slotcast", Op: "get", figures: figures{P50: 2, ClientCPU: 2, Rate: 8}},
		{Client: "radix", Op: "get", Tagged: true, figures: figures{P50: 3, ClientCPU: 9, Rate: 7}},
		{Client: "rueidis", Op: "get", figures: figures{P50: 4, ClientCPU: 5, Rate: 6}},
		{Client: "rueidis", Op: "set", figures: figures{P50: 1, ClientCPU: 1, Rate: 99}},
	}
	assert.Equal(t, &rs[2], rs.best("get", anyPeer, p50))
	assert.Equal(t, &rs[3], rs.best("get", anyPeer, clientCPU))
	assert.Equal(t, &rs[2], rs.best("get", withTags, clientCPU))
	assert.Equal(t, &rs[3], rs.best("get", withoutTags, p50))
	assert.Equal(t, &rs[2], rs.best("get", anyPeer, pause))
	assert.Nil(t, rs.best("set", withTags, p50))
	assert.Equal(t, &rs[1], rs.of("slotcast", "get"))
	assert.Nil(t, rs.of("slotcast", "set"))
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.001: "0", 0.04: "0", 0.3: "0.3", 2: "2", 2.25: "2.2", 9.99: "10", 1234.5: "1234"} {
		assert.Equal(t, want, number(v), v)
	}
}
