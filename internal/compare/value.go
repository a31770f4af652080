package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

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

// patience bounds what a batch may take. It is the same for all, and longer than any of their defaults: a batch of 300,000
// pairs on a busy machine is no failure.
const patience = time.Minute

// The time to live of everything stored here, outliving any run.
const (
	ttlSeconds     = 3600
	ttlSecondsText = "3600"
)
