package main

import (
	"cmp"
	"slices"
)

// quantile is the least of the values that a share p of them does not exceed; zero if there is none. It sorts them.
func quantile[T cmp.Ordered](values []T, p float64) (v T) {
	if len(values) == 0 {
		return v
	}
	slices.Sort(values)
	return values[min(int(p*float64(len(values))), len(values)-1)]
}

func median[T cmp.Ordered](values []T) T { return quantile(values, 0.5) }

func sum[T int | int64 | float64](values []T) (s T) {
	for _, v := range values {
		s += v
	}
	return s
}

// topShare is the share of the largest value in the sum, 0 of nothing.
func topShare[T int | int64 | float64](values []T) float64 {
	total := sum(values)
	if total == 0 {
		return 0
	}
	return float64(slices.Max(values)) / float64(total)
}

func maxOf(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Max(values)
}

// rounded are the values as whole numbers.
func rounded(values []float64) []int {
	all := make([]int, len(values))
	for i, v := range values {
		all[i] = int(v + 0.5)
	}
	return all
}
