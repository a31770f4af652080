// Lab lets each lesson of the library be tried: an experiment per lesson, with a lever, answered in numbers and pictures, on
// a throwaway Redis Cluster or on one of yours.
//
//	make lab                                    runs all experiments and writes lab-report.html
//	make lab ARGS="fanout -keys 3000 -chunk 100"
//	make lab ARGS="write -h"                    the levers of an experiment
//
// Everything an experiment asks is made from -seed, so the same seed asks the same questions and the servers count the same
// commands. Counts are the servers' own (INFO commandstats); server CPU is that of INFO cpu, client CPU that of getrusage.
// Times are of this machine, where client and servers share the processors: ratios mean something, microseconds little.
//
// On a cluster of yours (-addrs) keys are written under the prefix slotcast:lab, with a time to live, and deleted at the end;
// no other key is touched. The commands of other clients show up in the counts.
//
// The exit status is 0 when all went well; 2 for a bad command line, or when there is no cluster that can be used; 1 when
// something went wrong later on. What went wrong is one line on standard error.
//
// It is a module of its own, so that the library's users never see what its tests need.
package main
