package main

import (
	"slices"
	"time"
)

// A tally is all the turns of a contender in a cell.
type tally struct {
	turns []turn
	walls []time.Duration // of all batches
}

// figures are the numbers per batch. Those with CPU, memory and rate are the medians over the turns.
type figures struct {
	Batches      int     `json:"batches"`
	P50          float64 `json:"p50_us"`
	P99          float64 `json:"p99_us"`
	Rate         float64 `json:"batches_per_s"`
	ClientCPU    float64 `json:"client_cpu_us"`
	ClientMean   float64 `json:"client_cpu_mean_us"` // a collection counts even if most turns have none
	ServerCPU    float64 `json:"server_cpu_us"`      // all servers together
	Allocs       float64 `json:"allocs"`
	AllocBytes   float64 `json:"alloc_bytes"`
	Commands     float64 `json:"commands_per_primary"`
	Writes       float64 `json:"writes_per_primary"`
	Reads        float64 `json:"reads_per_primary"`
	BytesWritten float64 `json:"bytes_written"`
	BytesRead    float64 `json:"bytes_read"`
}

func (t *tally) figures(primaries int) figures {
	var f figures
	var cpu, commands float64
	var sent traffic
	for _, turn := range t.turns {
		f.Batches += turn.batches
		cpu += micros(turn.clientCPU)
		commands += float64(turn.commands)
		sent = sent.plus(turn.traffic)
	}
	n := float64(f.Batches)
	each := n * float64(primaries)
	f.ClientMean = cpu / n
	f.Commands = commands / each
	f.Writes, f.Reads = float64(sent.writes)/each, float64(sent.reads)/each
	f.BytesWritten, f.BytesRead = float64(sent.bytesOut)/n, float64(sent.bytesIn)/n

	f.ClientCPU = t.median(func(t turn) float64 { return micros(t.clientCPU) / float64(t.batches) })
	f.ServerCPU = t.median(func(t turn) float64 { return micros(t.serverCPU) / float64(t.batches) })
	f.Allocs = t.median(func(t turn) float64 { return float64(t.mallocs) / float64(t.batches) })
	f.AllocBytes = t.median(func(t turn) float64 { return float64(t.bytes) / float64(t.batches) })
	f.Rate = t.median(func(t turn) float64 { return float64(t.batches) / t.elapsed.Seconds() })

	walls := slices.Sorted(slices.Values(t.walls))
	f.P50, f.P99 = micros(quantile(walls, 0.50)), micros(quantile(walls, 0.99))
	return f
}

// median is that of one number of each turn.
func (t *tally) median(of func(turn) float64) float64 {
	values := make([]float64, len(t.turns))
	for i, turn := range t.turns {
		values[i] = of(turn)
	}
	slices.Sort(values)
	return quantile(values, 0.50)
}

// quantile is the least value that a share p of the sorted values does not exceed; zero if there is none.
func quantile[T any](sorted []T, p float64) (v T) {
	if len(sorted) == 0 {
		return v
	}
	i := int(p * float64(len(sorted)))
	return sorted[min(i, len(sorted)-1)]
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
