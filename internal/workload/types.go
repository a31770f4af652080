package workload

import "github.com/slotcast/slotcast/routecache"

// LatLng is a point on the earth in degrees.
type LatLng = routecache.LatLng

// Estimate is an answer of the routing engine: driving time in seconds and distance in metres.
type Estimate = routecache.Estimate
