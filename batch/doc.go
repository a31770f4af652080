// Package batch reads and writes many keys of a Redis Cluster in one call, with one write per primary.
//
// [Open] makes a [Client], which knows the shape of the cluster and keeps a pool of connections per node. [Client.Get]
// and [Client.Set] take their keys and values through small interfaces, [Reads] and [Writes], asked by index, so that a
// batch needs no slice of keys and no allocation. Each item is answered once or listed in the call's [Error] with its
// cause; what one node fails to do costs no other node's answers.
//
// A call groups its items by slot and the groups by primary, sends every primary all its commands, and reads the
// replies where they stand. What is redirected or refused is asked again in further rounds; that, and all that is known
// about error replies, is decided in verdict.go and refuse.go. One goroutine does it all: see exchange.go.
//
// Slots and redirects are described at https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/.
package batch
