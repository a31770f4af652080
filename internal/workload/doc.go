// Package workload makes the input that the cache is built for: an evening of food delivery in a city, with couriers on
// the move, restaurants that stay where they are, a downtown that is busy at dinner time, and a routing engine whose
// answers follow roads. It is equipment for tests, benchmarks, the demo and the lab; no package of the library imports it.
//
// [Config] describes an evening and [New] makes it. [Evening.Next] moves it on by one step; between two calls,
// [Evening.AppendTrips] lists what a dispatcher wants to know at that moment. [Engine] answers. [CellPairs] is the short
// way for a benchmark: so many distinct pairs of cells, with their estimates.
//
// Everything is a function of the configuration: the same seed makes the same evening on every machine. Points are rounded
// to a millionth of a degree (about 0.1 m), so that the last bit of a floating-point operation cannot show.
//
// Units: metres, seconds and degrees as float64; the time of day is a [time.Duration] since midnight.
package workload
