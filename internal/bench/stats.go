package bench

import (
	"math"
	"slices"
	"time"
)

// Times sums up how long something took.
type Times struct {
	N int `json:"n"`
	// Low is the tenth percentile: what it takes when nothing else wants the
	// machine, as far as there were such moments.
	Low    time.Duration `json:"p10_ns"`
	Median time.Duration `json:"median_ns"`
	P99    time.Duration `json:"p99_ns"`
	Max    time.Duration `json:"max_ns"`
}

// Summarise sums up durations, in any order; it does not change them. Of none
// everything is 0.
func Summarise(all []time.Duration) Times {
	if len(all) == 0 {
		return Times{}
	}
	sorted := slices.Sorted(slices.Values(all))
	return Times{N: len(sorted), Low: Quantile(sorted, 0.1), Median: Quantile(sorted, 0.5), P99: Quantile(sorted, 0.99), Max: sorted[len(sorted)-1]}
}

// Quantile returns the smallest value that at least the share q of the sorted
// values do not exceed (the nearest rank). There must be a value.
func Quantile[T any](sorted []T, q float64) T {
	rank := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[min(max(rank, 0), len(sorted)-1)]
}

// Ratio is a over b, and 0 where b is 0: not known.
func Ratio(a, b time.Duration) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// MedianOf returns the median of the values above 0, and 0 where there is none.
func MedianOf(values []float64) float64 {
	known := slices.DeleteFunc(slices.Sorted(slices.Values(values)), func(v float64) bool { return v <= 0 })
	if len(known) == 0 {
		return 0
	}
	return Quantile(known, 0.5)
}
