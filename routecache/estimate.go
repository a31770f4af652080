package routecache

import (
	"fmt"
	"math"
)

// Estimate is the answer to a pair. Both numbers are finite and not negative.
type Estimate struct {
	Seconds float64 // driving time
	Metres  float64 // distance by road
}

// Check returns nil, or an *EstimateError that names the number which is not finite or negative.
func (e Estimate) Check() error {
	if !storable(e.Seconds) {
		return &EstimateError{Field: "seconds", Value: e.Seconds}
	}
	if !storable(e.Metres) {
		return &EstimateError{Field: "metres", Value: e.Metres}
	}
	return nil
}

// storable refuses NaN too, and takes minus zero.
func storable(v float64) bool { return v >= 0 && v <= math.MaxFloat64 }

// EstimateError reports an estimate that cannot be stored. Nothing was sent.
type EstimateError struct {
	Field string // "seconds" or "metres"
	Value float64
}

func (e *EstimateError) Error() string {
	return fmt.Sprintf("routecache: estimate: %s %v is not a finite number of zero or more", e.Field, e.Value)
}
