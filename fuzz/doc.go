// Package fuzz has fuzz targets for the packages of this module, which it uses as any other program would.
//
// Each target says in its comment what must hold. They run over their seeds with go test ./fuzz, and over what the
// fuzzer thinks of with make fuzz. The seeds come from the tables of the packages' tests; inputs that showed a fault are
// in testdata.
package fuzz
