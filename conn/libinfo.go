package conn

import (
	"runtime/debug"
	"sync"
)

// libVersion is the version of this module in the running program.
var libVersion = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == "github.com/slotcast/slotcast" && m.Version != "" {
				return m.Version
			}
		}
	}
	return "unknown"
})
