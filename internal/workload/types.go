package workload

// LatLng is a point on the globe in degrees.
type LatLng struct{ Lat, Lng float64 }

// Estimate is an answer of the routing engine: driving time in seconds and distance in metres.
type Estimate struct{ Seconds, Metres float64 }
