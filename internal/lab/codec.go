package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"runtime"

	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/routecache"
)

// codec encodes and decodes the same estimates as CSV and as JSON.
type codec struct {
	values, rounds, passes int
}

func newCodec() *codec { return &codec{} }

func (x *codec) about() string {
	return "estimates as CSV and as JSON: bytes, CPU and allocations (no server)"
}

func (x *codec) levers(f *flag.FlagSet) {
	f.IntVar(&x.values, "values", 3000, "estimates, 1 to 100000")
	f.IntVar(&x.rounds, "rounds", 9, "turns of each codec, 1 to 1000")
	f.IntVar(&x.passes, "passes", 10, "passes over the values in a turn, 1 to 10000")
}

func (x *codec) check() error {
	return firstError(within("values", x.values, 1, 100_000), within("rounds", x.rounds, 1, 1000), within("passes", x.passes, 1, 10_000))
}

// codecResult is what was measured.
type codecResult struct {
	Values int         `json:"values"`
	Codecs []codecCost `json:"codecs"`
}

// codecCost is per value.
type codecCost struct {
	Name         string  `json:"name"`
	Example      string  `json:"example"`
	Bytes        float64 `json:"bytes"` // mean
	EncodeNS     float64 `json:"encode_ns"`
	DecodeNS     float64 `json:"decode_ns"`
	EncodeAllocs float64 `json:"encode_allocs"`
	DecodeAllocs float64 `json:"decode_allocs"`
}

// A format is a way to write an estimate. encode appends to dst.
type format struct {
	name   string
	encode func(dst []byte, e routecache.Estimate) ([]byte, error)
	decode func(b []byte) (routecache.Estimate, error)
}

// jsonEstimate has the names that one would give them.
type jsonEstimate struct {
	Seconds float64 `json:"seconds"`
	Metres  float64 `json:"metres"`
}

var formats = []format{
	{"CSV, by the library", routecache.AppendEstimate, routecache.ParseEstimate},
	{"JSON object", func(dst []byte, e routecache.Estimate) ([]byte, error) {
		b, err := json.Marshal(jsonEstimate(e))
		return append(dst, b...), err
	}, func(b []byte) (routecache.Estimate, error) {
		var e jsonEstimate
		err := json.Unmarshal(b, &e)
		return routecache.Estimate(e), err
	}},
	{"JSON array", func(dst []byte, e routecache.Estimate) ([]byte, error) {
		b, err := json.Marshal([2]float64{e.Seconds, e.Metres})
		return append(dst, b...), err
	}, func(b []byte) (routecache.Estimate, error) {
		var e [2]float64
		err := json.Unmarshal(b, &e)
		return routecache.Estimate{Seconds: e[0], Metres: e[1]}, err
	}},
}

func (x *codec) run(_ context.Context, l *lab) (result, error) {
	l.say("codec: %s as CSV and as JSON", plural(x.values, "estimate", "estimates"))
	_, estimates, err := workload.CellPairs(x.values, resolution, l.seed)
	if err != nil {
		return nil, err
	}
	r := &codecResult{Values: x.values}
	var encoded [][][]byte
	for _, f := range formats {
		texts, total := make([][]byte, len(estimates)), 0
		for i, e := range estimates {
			if texts[i], err = f.encode(nil, e); err != nil {
				return nil, err
			}
			total += len(texts[i])
			if back, err := f.decode(texts[i]); err != nil || back != e {
				return nil, fmt.Errorf("%s: %q reads back as %v (%w)", f.name, texts[i], back, err)
			}
		}
		encoded = append(encoded, texts)
		r.Codecs = append(r.Codecs, codecCost{Name: f.name, Example: string(texts[0]), Bytes: float64(total) / float64(len(texts))})
	}
	times := make([][2][]float64, len(formats))
	for range x.rounds {
		for i, f := range formats {
			k := &r.Codecs[i]
			var ns float64
			ns, k.EncodeAllocs = x.perValue(func() { encodeAll(f, estimates) })
			times[i][0] = append(times[i][0], ns)
			ns, k.DecodeAllocs = x.perValue(func() { decodeAll(f, encoded[i]) })
			times[i][1] = append(times[i][1], ns)
		}
	}
	for i := range r.Codecs {
		r.Codecs[i].EncodeNS, r.Codecs[i].DecodeNS = median(times[i][0]), median(times[i][1])
	}
	return r, nil
}

// sink keeps results alive, so that no work can be left out.
var sink struct {
	n int
	e routecache.Estimate
}

func encodeAll(f format, estimates []routecache.Estimate) {
	var buffer [128]byte
	for _, e := range estimates {
		b, _ := f.encode(buffer[:0], e)
		sink.n += len(b)
	}
}

func decodeAll(f format, texts [][]byte) {
	for _, b := range texts {
		sink.e, _ = f.decode(b)
	}
}

// perValue returns the CPU time, in nanoseconds, and the allocations of a pass, by value.
func (x *codec) perValue(pass func()) (ns, allocs float64) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu := clientCPU()
	for range x.passes {
		pass()
	}
	cpu = clientCPU() - cpu
	runtime.ReadMemStats(&after)
	n := float64(x.passes * x.values)
	// The runtime and the buffer of a pass make a few allocations: less than a hundredth by value is none.
	allocs = float64(int(float64(after.Mallocs-before.Mallocs)/n*100)) / 100
	return float64(cpu.Nanoseconds()) / n, allocs
}
