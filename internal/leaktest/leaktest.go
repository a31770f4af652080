// Package leaktest fails a package's tests if they leave goroutines behind.
package leaktest

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

// Main is for TestMain: it runs the tests and exits. Goroutines that are just ending get a moment.
func Main(m *testing.M) {
	before := runtime.NumGoroutine()
	code := m.Run()
	for end := time.Now().Add(3 * time.Second); code == 0 && runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(end) {
			buf := make([]byte, 1<<20)
			fmt.Fprintf(os.Stderr, "goroutines left behind:\n%s\n", buf[:runtime.Stack(buf, true)])
			code = 1
		}
	}
	os.Exit(code)
}
