package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/slotcast/slotcast/internal/redistest"
)

// machine is what the numbers depend on besides the cell.
type machine struct {
	CPU      string            `json:"cpu"`
	Cores    int               `json:"cores"` // shared by the client and all servers
	OS       string            `json:"os"`
	Go       string            `json:"go"`
	Server   string            `json:"server"`
	Versions map[string]string `json:"versions"` // of the peers, by module
}

func thisMachine(ctx context.Context, c *redistest.Cluster) (machine, error) {
	m := machine{CPU: cpuModel(), Cores: runtime.GOMAXPROCS(0), OS: runtime.GOOS + "/" + runtime.GOARCH,
		Go: runtime.Version(), Versions: map[string]string{}}
	name, version, err := c.Node(0).Version(ctx)
	if err != nil {
		return m, err
	}
	m.Server = name + " " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			for _, peer := range []string{"go-redis", "rueidis", "radix"} {
				if strings.Contains(dep.Path, "/"+peer) {
					m.Versions[peer] = dep.Version
				}
			}
		}
	}
	return m, nil
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores shared by client and servers, %s, %s, %s, go-redis %s, rueidis %s, radix %s",
		m.CPU, m.Cores, m.OS, m.Go, m.Server, m.Versions["go-redis"], m.Versions["rueidis"], m.Versions["radix"])
}

// cpuModel is the processor's name where the system has a file that tells.
func cpuModel() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
