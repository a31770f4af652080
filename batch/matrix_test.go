package batch_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/slotcast/slotcast/batch"
	"github.com/slotcast/slotcast/internal/fakeredis"
)

// What each error reply leads to: what is sent again, where, behind what, whether the topology is asked, and whether
// there is a wait. Two keys are read or stored; their slot belongs to the first of two nodes, which gives the reply
// once. Time is the bubble's.
func TestRetryMatrix(t *testing.T) {
	const (
		mget, evalsha = "MGET {t2}0 {t2}1", "EVALSHA {t2}0 {t2}1"
		load, eval    = "SCRIPT LOAD", "EVAL {t2}0 {t2}1"
		get0, get1    = "GET {t2}0", "GET {t2}1"
		set0, set1    = "SET {t2}0 v-{t2}0 PX 60000", "SET {t2}1 v-{t2}1 PX 60000"
	)
	var (
		reads  = []string{mget}
		writes = []string{load, evalsha}
	)
	type row struct {
		reply   string
		write   bool
		first   []string // commands the first node receives
		second  []string // and the second
		fails   bool     // for both keys
		refresh bool
		wait    bool
	}
	again := func(reply string, row row) row {
		row.reply, row.first = reply, []string{mget, mget}
		if row.write {
			row.first = []string{load, evalsha, load, evalsha}
		}
		return row
	}
	final := func(reply string, write bool) row {
		row := row{reply: reply, write: write, first: reads, fails: true}
		if write {
			row.first = writes
		}
		return row
	}
	for _, row := range []row{
		{reply: "MOVED <slot> <second>", first: reads, second: []string{mget}, refresh: true},
		{reply: "MOVED <slot> <second>", write: true, first: writes, second: writes, refresh: true},
		again("MOVED <slot> <first>", row{refresh: true, wait: true}),
		again("MOVED <slot> ?:7001", row{refresh: true, wait: true}),
		{reply: "MOVED <slot> :7001", first: reads, second: []string{mget}, refresh: true},
		{reply: "ASK <slot> <second>", first: reads, second: []string{"ASKING", get0, "ASKING", get1}},
		{reply: "ASK <slot> <second>", write: true, first: writes, second: []string{"ASKING", set0, "ASKING", set1}},
		{reply: "TRYAGAIN Multiple keys request during rehashing of slot", first: []string{mget, get0, get1}},
		{reply: "TRYAGAIN Multiple keys request during rehashing of slot", write: true, first: []string{load, evalsha, set0, set1}},
		again("CLUSTERDOWN The cluster is down", row{refresh: true, wait: true}),
		again("CLUSTERDOWN The cluster is down and only accepts read commands", row{write: true, refresh: true, wait: true}),
		again("CLUSTERDOWN Hash slot not served", row{refresh: true, wait: true}),
		again("LOADING Redis is loading the dataset in memory", row{refresh: true, wait: true}),
		again("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", row{refresh: true, wait: true}),
		again("BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.", row{wait: true}),
		again("BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.", row{write: true, wait: true}),
		again("READONLY You can't write against a read only replica.", row{write: true, refresh: true, wait: true}),
		again("READONLY You can't write against a read only replica. script: 31b, on @user_script:3.", row{write: true, refresh: true, wait: true}),
		again("ERR Error running script (call to f_31b): @user_script:3: -READONLY You can't write against a read only replica.",
			row{write: true, refresh: true, wait: true}),
		again("ERR Script attempted to access a non local key in a cluster node script: 31b, on @user_script:3.",
			row{write: true, refresh: true, wait: true}),
		{reply: "NOSCRIPT No matching script. Please use EVAL.", write: true, first: []string{load, evalsha, eval}},
		final("CROSSSLOT Keys in request don't hash to the same slot", false),
		final("CROSSSLOT Keys in request don't hash to the same slot", true),
		final("WRONGTYPE Operation against a key holding the wrong kind of value", false),
		final("NOPERM this user has no permissions to run the 'mget' command", false),
		final("NOPERM this user has no permissions to run the 'evalsha' command", true),
		final("NOAUTH Authentication required.", false),
		final("WRONGPASS invalid username-password pair or user is disabled.", false),
		final("OOM command not allowed when used memory > 'maxmemory'.", true),
		final("OOM command not allowed when used memory > 'maxmemory'. script: 31b, on @user_script:3.", true),
		final("ERR invalid expire time in 'set' command script: 31b, on @user_script:3.", true),
		final("ERR unknown command 'MGET'", false),
		final("SOMETHING nobody has heard of", false),
	} {
		name := row.reply
		if row.write {
			name += ", storing"
		}
		for _, id := range []struct{ of, id string }{
			{"MOVED <slot> <second>", "D12 D13"}, {"MOVED <slot> <first>", "D10"}, {"MOVED <slot> ?", "D8"}, {"MOVED <slot> :", "D7"},
			{"ASK", "D12 D13"}, {"TRYAGAIN", "D2"}, {"CLUSTERDOWN", "D12 D16"}, {"LOADING", "D17"}, {"MASTERDOWN", "D18"}, {"BUSY", "F10"},
			{"READONLY", "D15 F13"}, {"ERR Error running script", "D15 F13"}, {"ERR Script attempted", "F12 F13"},
			{"NOSCRIPT", "F1"}, {"CROSSSLOT", "D1"}, {"OOM", "F11 F13"}, {"ERR invalid expire", "G1 F13"}, {"NOAUTH", "E17"},
		} {
			if strings.HasPrefix(row.reply, id.of) {
				name = id.id + " " + name
			}
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fake := fakeredis.NewCluster(2)
				c := openFake(t, fake, batch.Config{})
				k := tagged("t2", 2)
				put(fake.Node(0), k)
				put(fake.Node(1), k)
				asked := strings.HasPrefix(row.reply, "ASK")
				if asked {
					fake.Migrate(k.Slot(0), 1)
				} else if row.second != nil {
					fake.Give(k.Slot(0), 1)
				}
				line := strings.NewReplacer("<slot>", fmt.Sprint(k.Slot(0)),
					"<first>", fake.Node(0).Addr(), "<second>", fake.Node(1).Addr()).Replace(row.reply)
				name := "MGET"
				if row.write {
					name = "EVALSHA"
				}
				fake.Node(0).On(errorFor(name, line, 1))
				time.Sleep(time.Minute) // the topology was asked long ago

				views, start := fake.Views(), time.Now()
				var err error
				var got any
				want := any(values(k))
				if row.write {
					w := newWrites(k)
					err = c.Set(t.Context(), w, time.Minute)
					got, want = w.stored, every(2, 1)
				} else {
					r := newReads(t, k)
					err = c.Get(t.Context(), r)
					got = r.got
				}
				if row.fails {
					assert.ErrorContains(t, err, row.reply)
					want = every(2, nothing)
					if row.write {
						want = every(2, 0)
					}
				} else {
					assert.NoError(t, err)
				}
				assert.Equal(t, want, got)
				assert.Equal(t, [][]string{row.first, row.second}, logs(fake))
				waits := c.Stats().Waits
				assert.Equal(t, row.wait, waits > 0, "waits: %d", waits)
				if took := time.Since(start); row.wait {
					assert.GreaterOrEqual(t, took, 2500*time.Microsecond)
				} else {
					assert.Less(t, took, 2500*time.Microsecond)
				}
				time.Sleep(time.Minute)
				assert.Equal(t, row.refresh, fake.Views() > views, "calls for the topology: %d", fake.Views()-views)
			})
		})
	}
}
