// Package topology knows which node of a Redis Cluster serves which slot.
//
// A [Map] is one view of the cluster, an immutable value. [DecodeShards] and [DecodeSlots] make the shards of one from
// the replies to CLUSTER SHARDS and CLUSTER SLOTS; [ParseRedirect] reads MOVED and ASK, and [Map.WithMoved] is the map
// after them. A [Tracker] keeps the current map: it decides when to ask and whom, and which answers to believe. Asking
// itself is a function it is given, so this package opens no connection.
//
// Where a reply does not say where a node is, the connection it came over does; [Asked] describes that connection.
//
// The commands are described at https://redis.io/docs/latest/commands/cluster-shards/ and
// https://valkey.io/commands/cluster-shards/, the redirects in the Redis Cluster specification:
// https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
package topology
