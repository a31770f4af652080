package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/slotcast/slotcast/internal/workload"
	"github.com/slotcast/slotcast/topology"
)

// report prints to a terminal of 100 columns.
type report struct {
	out     io.Writer
	started time.Duration // what the throwaway cluster took; 0 = the user's own
}

func (r *report) printf(format string, args ...any) { fmt.Fprintf(r.out, format, args...) }

func (r *report) title() {
	r.printf("\nSlotcast: an evening of food delivery, its route estimates cached in a Redis Cluster\n\n")
}

// cluster says what is talked to.
func (r *report) cluster(ctx context.Context, primaries []primary) error {
	software, err := primaries[0].software(ctx)
	if err != nil {
		return err
	}
	r.printf("Cluster   %s, %d primaries", software, len(primaries))
	if r.started > 0 {
		r.printf(", started for this run in %.1f s", r.started.Seconds())
	}
	r.printf("\n")
	return nil
}

func (r *report) evening(cfg workload.Config, q *questions) {
	r.printf("Evening   Berlin, seed %d: %s couriers, %s restaurants, dispatched every 30 s from %s to %s\n",
		cfg.Seed, number(cfg.Couriers), number(cfg.Restaurants), clock(cfg.Start), clock(q.until))
	r.printf("Pairs     %s asked about, %s of them distinct at H3 resolution %d, and %s that nobody writes\n\n",
		number(len(q.written)), number(q.distinct), resolution, number(len(q.read)-len(q.written)))
}

// walk shows how the tags were found.
func (r *report) walk(s *session) {
	anchors := s.layout.Anchors()
	r.printf("The walk  tags {%s} for n = 0, 1, 2, … until each primary has %d\n",
		strings.Replace(s.template, "%d", "n", 1), len(anchors.List)/len(seated(anchors.Seats)))
	r.printf("          %d tried, %d skipped; kept:\n", anchors.Tried, anchors.Skipped)
	for number, shard := range s.layout.Topology().Shards() {
		if len(shard.Slots) == 0 {
			continue
		}
		var kept []string
		for _, a := range anchors.List {
			if int(a.Shard) == number {
				kept = append(kept, fmt.Sprintf("n=%d (slot %d)", a.N, a.Slot))
			}
		}
		if more := len(kept) - 3; more > 1 {
			kept = append(kept[:3], fmt.Sprintf("and %d more", more))
		}
		r.printf("          %s  %s\n", shard.Primary.Addr, strings.Join(kept, ", "))
	}
	r.printf("\n")
}

// primaries is the table of what each primary was asked.
func (r *report) primaries(m *measured) {
	r.printf("One write batch and one read batch, commands as the servers count them (INFO commandstats).\n" +
		"Two pairs of each tag were written beforehand, uncounted, so that each primary has the script and a\n" +
		"connection: scripts counts SCRIPT LOAD and EVAL.\n\n")
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") }
	line("primary", "slots", "tags", "keys", "EVALSHA", "scripts", "MGET", "write out", "read out", "read in")
	var sum row
	for _, row := range m.rows {
		line(row.addr, row.slots, strconv.Itoa(row.tags), number(row.keys),
			strconv.Itoa(row.write.evalsha), strconv.Itoa(row.write.scripts), strconv.Itoa(row.read.mget),
			byteCount(row.written.out), byteCount(row.got.out), byteCount(row.got.in))
		sum.tags += row.tags
		sum.keys += row.keys
		sum.write.evalsha += row.write.evalsha
		sum.write.scripts += row.write.scripts
		sum.read.mget += row.read.mget
		sum.written.out += row.written.out
		sum.got.out += row.got.out
		sum.got.in += row.got.in
	}
	line("all", "", strconv.Itoa(sum.tags), number(sum.keys),
		strconv.Itoa(sum.write.evalsha), strconv.Itoa(sum.write.scripts), strconv.Itoa(sum.read.mget),
		byteCount(sum.written.out), byteCount(sum.got.out), byteCount(sum.got.in))
	w.Flush()
	r.printf("\n")
}

// answers says what came back and how long it took.
func (r *report) answers(q *questions, m *measured) {
	v := m.verdict
	r.printf("Answers   %s hits, %s misses, %s failed; %s wrong (each compared with what was written)\n",
		number(v.hits), number(v.misses), number(v.failed), number(v.wrong))
	r.printf("Expiry    %s keys without a time to live (PTTL of each)\n", number(m.forever))
	r.printf("Time      write %s, read %s, median of %d more reads %s (%.2f µs a pair)\n\n",
		milliseconds(m.write), milliseconds(m.read), repeats, milliseconds(m.median),
		float64(m.median.Nanoseconds())/1e3/float64(len(q.read)))
}

// summary is the last line, for scripts.
type summary struct {
	Primaries         int   `json:"primaries"`
	Pairs             int   `json:"pairs"`    // of the read batch
	Distinct          int   `json:"distinct"` // of the write batch, each a key
	Hits              int   `json:"hits"`
	Misses            int   `json:"misses"`
	Failed            int   `json:"failed"`
	Wrong             int   `json:"wrong"`
	MGETPerPrimary    []int `json:"mget_per_primary"`
	EVALSHAPerPrimary []int `json:"evalsha_per_primary"`
	KeysWithoutTTL    int   `json:"keys_without_ttl"`
}

func (r *report) summary(q *questions, m *measured) error {
	s := summary{
		Primaries: len(m.rows), Pairs: len(q.read), Distinct: q.distinct,
		Hits: m.verdict.hits, Misses: m.verdict.misses, Failed: m.verdict.failed, Wrong: m.verdict.wrong,
		KeysWithoutTTL: m.forever,
	}
	for _, row := range m.rows {
		s.MGETPerPrimary = append(s.MGETPerPrimary, row.read.mget)
		s.EVALSHAPerPrimary = append(s.EVALSHAPerPrimary, row.write.evalsha)
	}
	return json.NewEncoder(r.out).Encode(s)
}

// seated returns the shards that have anchors.
func seated(seats []int) (shards []int) {
	for i, n := range seats {
		if n > 0 {
			shards = append(shards, i)
		}
	}
	return shards
}

// slotRanges writes slots as redis-cli does, both ends included.
func slotRanges(ranges []topology.Range) string {
	if len(ranges) > 2 {
		n := 0
		for _, r := range ranges {
			n += int(r.End - r.Start)
		}
		return fmt.Sprintf("%d in %d ranges", n, len(ranges))
	}
	var parts []string
	for _, r := range ranges {
		parts = append(parts, fmt.Sprintf("%d-%d", r.Start, r.End-1))
	}
	return strings.Join(parts, ",")
}

// number writes n with a comma between thousands.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func byteCount(n int64) string { return number(int(n)) + " B" }

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1e3) }

// clock writes a time of day.
func clock(d time.Duration) string {
	return fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60)
}
