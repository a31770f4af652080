package main

import "github.com/slotcast/slotcast/routecache"

// proof returns the estimate that write number version of a pair stores. It is a function of both, so that a value tells
// whether it belongs to the pair it was given for: the seconds hold the version, the metres 48 bits of a hash of pair and
// version. Both are exact in a float64, with up to three and four decimals. Versions are below 2^50.
func proof(p routecache.Pair, version uint64) routecache.Estimate {
	return routecache.Estimate{
		Seconds: float64(version) / 8,
		Metres:  float64(digest(p, version)>>16) / 16,
	}
}

// proven returns the version of which e is the proof for p, if it is one.
func proven(p routecache.Pair, e routecache.Estimate) (version uint64, ok bool) {
	version = uint64(e.Seconds * 8)
	return version, e == proof(p, version)
}

func digest(p routecache.Pair, version uint64) uint64 {
	return mix(mix(mix(uint64(p.Origin))+uint64(p.Dest)) + version)
}

// mix is the finalizer of splitmix64 (https://doi.org/10.1145/2714064.2660195): every bit of x changes half of the result's.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
