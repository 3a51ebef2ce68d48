package bench_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kith/internal/operation/devtools/bench"
)

func TestQuantile(t *testing.T) {
	hundred := make([]int, 100)
	for i := range hundred {
		hundred[i] = i + 1
	}
	for _, c := range []struct {
		values []int
		q      float64
		want   int
	}{
		{[]int{7}, 0.5, 7},
		{[]int{7}, 0.99, 7},
		{[]int{1, 2}, 0.5, 1},
		{[]int{1, 2, 3}, 0.5, 2},
		{[]int{1, 2, 3, 4}, 0.5, 2},
		{hundred, 0.5, 50},
		{hundred, 0.99, 99},
		{hundred, 1, 100},
		{hundred, 0, 1},
		{hundred[:50], 0.99, 50},
	} {
		if got := bench.Quantile(c.values, c.q); got != c.want {
			t.Errorf("the quantile %v of %d values is %d, want %d", c.q, len(c.values), got, c.want)
		}
	}
}

// At least the share q of the values is at most the quantile, and a smaller share is below it.
func TestQuantileByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(0, 50), 1, 60).Draw(t, "values")
		q := float64(rapid.IntRange(1, 100).Draw(t, "percent")) / 100
		got := bench.Quantile(slices.Sorted(slices.Values(values)), q)
		upTo := func(limit int) float64 {
			n := 0
			for _, v := range values {
				if v <= limit {
					n++
				}
			}
			return float64(n)
		}
		need := q*float64(len(values)) - 1e-9
		if upTo(got) < need || upTo(got-1) >= need+1e-6 {
			t.Fatalf("the quantile %v of %v is not %d", q, values, got)
		}
	})
}

func TestSummarise(t *testing.T) {
	in := []time.Duration{5, 1, 3, 2, 4}
	if got := bench.Summarise(in); got != (bench.Times{N: 5, Median: 3, P99: 5, Max: 5}) || in[0] != 5 {
		t.Errorf("%+v of %v", got, in)
	}
	if got := bench.Summarise(nil); got != (bench.Times{}) {
		t.Errorf("%+v of nothing", got)
	}
}

func TestMedianOf(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{0, 1.2}, 1.2}, {[]float64{3, 1, 2, 0}, 2}} {
		if got := bench.MedianOf(c.values); got != c.want {
			t.Errorf("median of %v: %v, want %v", c.values, got, c.want)
		}
	}
}
