package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/slotcast/slotcast/routecache"
)

// parse reads a stored value as the user of a peer would.
func parse(value string) (routecache.Answer, error) {
	first, second, ok := strings.Cut(value, ",")
	if !ok {
		return routecache.Answer{}, fmt.Errorf("value %q has no comma", value)
	}
	seconds, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return routecache.Answer{}, err
	}
	metres, err := strconv.ParseFloat(second, 64)
	if err != nil {
		return routecache.Answer{}, err
	}
	return routecache.Answer{State: routecache.Hit, Estimate: routecache.Estimate{Seconds: seconds, Metres: metres}}, nil
}

// format makes a stored value as the user of a peer would, with one allocation.
func format(e routecache.Estimate) string {
	var buf [64]byte
	b := strconv.AppendFloat(buf[:0], e.Seconds, 'f', -1, 64)
	b = append(b, ',')
	return string(strconv.AppendFloat(b, e.Metres, 'f', -1, 64))
}

// The time to live of everything stored here, outliving any run.
const (
	ttlSeconds     = 3600
	ttlSecondsText = "3600"
)
