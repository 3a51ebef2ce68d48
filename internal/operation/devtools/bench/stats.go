package bench

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Times summarises durations.
type Times struct {
	N      int           `json:"n"`
	Median time.Duration `json:"median_ns"`
	P99    time.Duration `json:"p99_ns"`
	Max    time.Duration `json:"max_ns"`
}

// Summarise summarises durations in any order, without changing them. Without durations everything is 0.
func Summarise(all []time.Duration) Times {
	if len(all) == 0 {
		return Times{}
	}
	sorted := slices.Sorted(slices.Values(all))
	return Times{N: len(sorted), Median: Quantile(sorted, 0.5), P99: Quantile(sorted, 0.99), Max: sorted[len(sorted)-1]}
}

// Quantile returns the smallest of the sorted values that is not exceeded by at least the
// share q of the values (nearest rank). There must be a value.
func Quantile[T any](sorted []T, q float64) T {
	rank := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[min(max(rank, 0), len(sorted)-1)]
}

// quotient returns a/b, or 0 (unknown) if b is 0.
func quotient(a, b time.Duration) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Compared compares two sides by the ratios of their medians and p99s; 0 if unknown.
type Compared struct {
	Median float64 `json:"median"`
	P99    float64 `json:"p99"`
}

// compare returns the ratios of a to b.
func compare(a, b Times) Compared {
	return Compared{Median: quotient(a.Median, b.Median), P99: quotient(a.P99, b.P99)}
}

// overShapes returns the medians over shapes.
func overShapes(all []Compared) Compared {
	var medians, p99s []float64
	for _, c := range all {
		medians, p99s = append(medians, c.Median), append(p99s, c.P99)
	}
	return Compared{Median: MedianOf(medians), P99: MedianOf(p99s)}
}

// String describes the ratios.
func (c Compared) String() string { return fmt.Sprintf("%.2f (p99 %.2f)", c.Median, c.P99) }

// MedianOf returns the median of the values above 0, or 0 if there are none.
func MedianOf(values []float64) float64 {
	known := slices.DeleteFunc(slices.Sorted(slices.Values(values)), func(v float64) bool { return v <= 0 })
	if len(known) == 0 {
		return 0
	}
	return Quantile(known, 0.5)
}
