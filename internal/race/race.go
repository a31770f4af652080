//go:build race

// Package race is about the race detector: whether the program runs under it, and what it has to be told.
package race

// Enabled reports whether the race detector is compiled in. It allocates on its own account.
const Enabled = true
