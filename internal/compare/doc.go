// Command compare measures this library beside go-redis, rueidis and radix, and beside the limit of what a client can do,
// on a real cluster that it starts. It is a module of its own, so that the library's users never see what it needs.
//
// Every contender answers the same question: the estimates of a list of pairs, as routecache.Answer values in the order of
// the pairs; or stores the estimates of a list of pairs with a time to live. What it answers or stores is checked before
// anything is measured, and the last answers of each turn are checked again.
//
// Contenders take turns, A B C A B C and so on, never all turns of one and then all of another, so that a machine that gets
// slower meanwhile slows all of them. A turn is a group of batches, long enough for getrusage and INFO to resolve, behind
// a garbage collection (nobody pays for a neighbour's garbage) and one batch that is not counted (pools are filled again).
// The garbage collector runs as it does by default.
//
// The peers are given more than they would have in use: their keys are ready, as strings, in groups by tag, while this
// library makes its own out of the pairs. The cell keys=built has them make their keys too. Batches run under
// context.Background, under which every client is at its fastest (rueidis sends from another goroutine otherwise), but in
// the cell context=cancellable.
//
// The limit writes the bytes that this library writes, recorded beforehand, with one write per primary, and then reads as
// many bytes as the replies have into one buffer and drops them, all by package net. A client can do with less CPU only where
// it has cheaper system calls, as this library on Linux; with requests larger than the socket buffers, one that reads
// while it writes can be done earlier.
//
//	go run . -quick                    3,000 pairs, 3 primaries
//	go run .                           all sizes, shapes and hit rates, one varied at a time
//	go run . -quick -pairs 30000       one cell of your choice
package main
