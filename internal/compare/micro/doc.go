// Package micro benchmarks the parts of a batch beside their counterparts in go-redis and rueidis:
//
//	go test -bench . ./micro
//
// The peers keep these parts to themselves, so the linker is asked for them by name (see inside.go): what is measured is
// the peers' own code, of the versions in go.mod. A version that names things otherwise does not link.
package micro
