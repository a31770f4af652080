// Chaos runs the cache on a real Redis Cluster of three primaries and three replicas, under load, while it breaks the cluster
// in every way it knows, one fault after another, and counts what the cache got wrong.
//
//	make chaos CHAOS=10m SEED=7
//
// Readers and writers work all the time on keys whose values prove to which key and write they belong (proof.go). A book
// (book.go) knows of each acknowledged write until when it must be there: until it expires, or until a fault may have cost
// it. Redis replicates asynchronously, so a primary that dies takes along what its replica did not have yet; what a replica
// has confirmed with WAIT must outlive that, and nothing may be lost by a migration, a reset or a flushed script.
//
// Progress goes to standard error. The last line of standard output is one JSON object, see [summary]. The exit status is
// 0 if no value was wrong, no key missed that was there, and nothing leaked; 1 if not, or if the run could not be finished;
// 2 for a bad command line. The same seed gives the same schedule of faults; what they meet differs from run to run.
package main
