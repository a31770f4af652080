package redistest_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/slotcast/slotcast/internal/redistest"
)

// TestMain lets the test binary be the child of TestNothingIsLeft.
func TestMain(m *testing.M) {
	if end := os.Getenv(envChild); end != "" {
		os.Exit(child(end))
	}
	os.Exit(m.Run())
}

type binary struct{ name, path string }

// binaries returns the servers to test with; one without a path, for Start to explain, if there is none.
func binaries() []binary {
	var all []binary
	for _, path := range redistest.Binaries() {
		all = append(all, binary{filepath.Base(path), path})
	}
	if all == nil {
		all = append(all, binary{name: "none"})
	}
	return all
}

// expired returns a context that has ended.
func expired(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
