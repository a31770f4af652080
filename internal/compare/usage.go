package main

import (
	"runtime"
	"syscall"
	"time"

	"github.com/slotcast/slotcast/internal/redistest"
)

// usage is what this process has used so far.
type usage struct {
	at      time.Time
	cpu     time.Duration // user and system, garbage collector and all
	mallocs uint64
	bytes   uint64
}

// before and after take the memory's account outside of the time that is measured: it stops the world.
func before() (u usage, err error) {
	u.memory()
	return u, u.time()
}

func after() (u usage, err error) {
	err = u.time()
	u.memory()
	return u, err
}

func (u *usage) memory() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u.mallocs, u.bytes = m.Mallocs, m.TotalAlloc
}

func (u *usage) time() error {
	var r syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	u.cpu = time.Duration(r.Utime.Nano() + r.Stime.Nano())
	u.at = time.Now()
	return err
}

// serverCPU is the CPU time that all servers have used.
func serverCPU(c *redistest.Cluster) (sum time.Duration, err error) {
	for _, node := range c.Nodes() {
		cpu, err := node.UsedCPU()
		if err != nil {
			return 0, err
		}
		sum += cpu
	}
	return sum, nil
}

// serverCommands is how many commands of contenders all servers have been sent, by their own account. A SET within a script
// is none.
func serverCommands(c *redistest.Cluster, scripts bool) (sum int64, err error) {
	for _, node := range c.Nodes() {
		stats, err := node.CommandStats()
		if err != nil {
			return 0, err
		}
		for _, name := range []string{"get", "mget", "set", "eval", "evalsha", "script|load"} {
			if name == "set" && scripts {
				continue
			}
			sum += stats[name].Calls + stats[name].Rejected
		}
	}
	return sum, nil
}
