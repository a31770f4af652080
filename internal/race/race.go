//go:build race

// Package race tells tests whether they run under the race detector, which allocates on its own account.
package race

// Enabled reports whether the race detector is compiled in.
const Enabled = true
