// Demo shows the cache at work on a real Redis Cluster: an evening of food delivery in a city, its route estimates written
// in one batch and read back in one batch, with what the servers themselves counted.
//
//	make demo                             starts three primaries for the occasion
//	make demo ADDRS=host:port,host:port   uses a cluster of yours
//
// The last line of its output is one JSON object for scripts, see [summary]. Keys are written under a template of their own,
// with a time to live, and deleted at the end, also when the demo is interrupted; it touches no other key.
//
// The exit status is 0 if every answer was right, 1 if one was not or something went wrong, 2 for a bad command line.
package main
