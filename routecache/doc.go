// Package routecache is a shared cache of route estimates in a Redis Cluster: driving time and distance between cells of
// H3, asked and answered in batches.
//
// A [Pair] of [Cell] values is a question, an [Estimate] its answer. A pair's key carries a tag, an integer in a
// [Template]; the integers in use are the anchors, found by a [Walk] over the cluster's slot map, and a [Table] gives
// each pair its anchor.
package routecache
