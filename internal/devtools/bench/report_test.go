package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"kith/internal/devtools/bench"
	"kith/internal/expect"
)

func sampleReport() bench.Report {
	times := func(median, p99 int) bench.Times {
		return bench.Times{
			N: 100, Median: time.Duration(median) * time.Microsecond, P99: time.Duration(p99) * time.Microsecond,
		}
	}
	return bench.Report{
		Began: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC), Machine: "a machine", People: 200_000,
		Rows: []bench.Row{
			{
				Engine: "postgres", Shape: "rare term", Found: 12, Matches: 12, Sent: []string{"SELECT 1"},
				Kith: times(1100, 1500), Service: times(1050, 1400), Straight: times(1000, 1200), FirstResult: times(1080, 1300),
				Added: bench.Compared{Median: 1.01, P99: 1.02}, Served: bench.Compared{Median: 1.03, P99: 1.04},
				Whole: bench.Compared{Median: 1.1, P99: 1.25},
			},
			{
				Engine: "postgres", Shape: "common term", Found: 25, Matches: 10_000, Capped: true,
				Sent: []string{"SELECT 2", "SELECT 3"},
				Kith: times(60_000, 90_000), Service: times(59_000, 80_000), Straight: times(50_000, 60_000),
				FirstResult: times(55_000, 60_000),
				Added:       bench.Compared{Median: 1.05, P99: 1.06}, Served: bench.Compared{Median: 1.07, P99: 1.08},
				Whole: bench.Compared{Median: 1.2, P99: 1.5},
			},
			{Engine: "elasticsearch", Shape: "rare term", Kith: times(900, 1000)},
			{
				Engine: "elasticsearch", Shape: "closest", Found: 25, Kith: times(7000, 9000), Without: times(2000, 3000),
				Closest: bench.Compared{Median: 3.5, P99: 3},
			},
		},
		Loads: []bench.Load{{
			Engine: "elasticsearch", Kith: bench.LoadTime{Documents: 1000, Took: 2 * time.Second},
			Straight: bench.LoadTime{Documents: 1000, Took: time.Second},
		}},
		Memory: bench.Memory{Resident: 100 << 20, Peak: 120 << 20, Heap: 50 << 20, Goroutines: 9},
	}
}

func TestReportPrintsATable(t *testing.T) {
	var out bytes.Buffer
	expect.NoError(t, sampleReport().WriteTable(&out))
	text := out.String()
	for _, want := range []string{
		"a machine, 200000 people", "postgres: Kith over HTTP", "rare term", "10000+", "60.00", "1.20", "1.07", "1.05",
		"service/straight 1.01 (p99 1.02)", "kith/bare 1.03 (p99 1.04)", "kith/straight 1.10 (p99 1.25)",
		"elasticsearch, closest: with closest people 3.50 (p99 3.00) times the page without, which takes 2.00 ms",
		"elasticsearch, bulk load: kith 500 people/s", "ratio 0.50", "100 MiB resident",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the table lacks %q:\n%s", want, text)
		}
	}
}

func TestReportRoundTripsAsJSON(t *testing.T) {
	var out bytes.Buffer
	expect.NoError(t, sampleReport().WriteJSON(&out))
	var back bench.Report
	expect.NoError(t, json.Unmarshal(out.Bytes(), &back))
	if len(back.Rows) != 4 || back.Rows[1].Kith.Median != 60*time.Millisecond || back.Loads[0].Kith.Documents != 1000 {
		t.Errorf("read back as %+v", back)
	}
}

func TestReportListsExceededLimits(t *testing.T) {
	r := sampleReport()
	if over := r.Over(bench.Limits{}); len(over) != 0 {
		t.Errorf("without limits, exceeded: %q", over)
	}
	// The limits are compared with the lower medians of the two shapes: 1.1 and 1.25.
	if over := r.Over(bench.Limits{
		MedianRatio: 1.15, P99Ratio: 1.3, Median: 61 * time.Millisecond,
		LoadRatio: 0.5, Closest: 3.5, Matching: 1,
	}); len(over) != 0 {
		t.Errorf("within the limits, exceeded: %q", over)
	}
	over := r.Over(bench.Limits{
		MedianRatio: 1.05, P99Ratio: 1.2, Median: 50 * time.Millisecond, LoadRatio: 0.6, Closest: 3,
	})
	if len(over) != 5 || !strings.Contains(over[3], `"closest" takes 3.50 times`) ||
		!strings.Contains(over[2], `"common term" takes 60.00 ms`) {
		t.Errorf("exceeded: %q", over)
	}
}

func TestCompareLoadsReportsBothLoaders(t *testing.T) {
	loads := func(n int, err error) bench.Loader {
		return func(context.Context) (int, error) { return n, err }
	}
	ready := func(l bench.Loader) func(context.Context) (bench.Loader, error) {
		return func(context.Context) (bench.Loader, error) { return l, nil }
	}
	got, err := bench.CompareLoads(context.Background(), "e", loads(5, nil), ready(loads(7, nil)))
	if err != nil || got.Kith.Documents != 5 || got.Straight.Documents != 7 || got.Ratio() <= 0 {
		t.Errorf("got the loads %+v, %v", got, err)
	}
	broken := errors.New("broken")
	if _, err := bench.CompareLoads(context.Background(), "e", loads(5, broken),
		ready(loads(7, nil))); !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of the loader", err)
	}
	if _, err := bench.CompareLoads(context.Background(), "e", loads(5, nil), ready(loads(0, nil))); err == nil {
		t.Error("an empty load succeeded")
	}
}

func TestReadMemoryReturnsEveryFigure(t *testing.T) {
	m, err := bench.ReadMemory()
	if err != nil || m.Heap == 0 || m.Goroutines == 0 || m.Peak < m.Resident {
		t.Errorf("got %+v, %v", m, err)
	}
}
