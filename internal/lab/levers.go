package main

import "flag"

// defaults sets the levers of an experiment to their defaults.
func defaults[X experiment](x X) X {
	f := flag.NewFlagSet("", flag.ContinueOnError)
	x.levers(f)
	if err := x.check(); err != nil {
		panic(err) // a default that is not allowed
	}
	return x
}

// levers are the experiments of a report as it runs them.
type levers struct {
	walk          *walk
	fanout, large *fanout // the mission's example, and a batch of real size
	hotspot       *hotspot
	write         *write
	codec         *codec
	dial          *dial
	tags          *tags
	peers         *peers
}

// settings are those of a report, in full or quick.
func settings(quick bool) levers {
	x := levers{
		walk: defaults(newWalk()), fanout: defaults(newFanout()), large: defaults(newFanout()), hotspot: defaults(newHotspot()),
		write: defaults(newWrite()), codec: defaults(newCodec()), dial: defaults(newResolution()), tags: defaults(newTags()),
		peers: defaults(newPeers()),
	}
	x.walk.primaries = 5 // the mission's example
	x.large.keys, x.large.chunk, x.large.group = 3000, 100, 5
	if quick {
		for _, rounds := range []*int{&x.fanout.rounds, &x.large.rounds, &x.hotspot.rounds, &x.write.rounds, &x.codec.rounds, &x.tags.rounds, &x.peers.rounds} {
			*rounds = 2
		}
		for _, group := range []*int{&x.fanout.group, &x.large.group, &x.hotspot.group, &x.write.group, &x.codec.passes, &x.tags.group} {
			*group = 2
		}
		x.hotspot.couriers, x.dial.couriers = 300, 60
	}
	return x
}
