package bench_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"kith/internal/operation/devtools/bench"
	"kith/internal/test/expect"
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
				Engine: "postgres", Shape: "rare term", Found: 12, Matches: 12,
				Kith: times(1100, 1500), Service: times(1050, 1400), FirstResult: times(1080, 1300),
				Served: bench.Compared{Median: 1.03, P99: 1.04},
			},
			{
				Engine: "postgres", Shape: "common term", Found: 25, Matches: 10_000, Capped: true,
				Kith: times(60_000, 90_000), Service: times(59_000, 80_000), FirstResult: times(55_000, 60_000),
				Served: bench.Compared{Median: 1.07, P99: 1.08},
			},
			{Engine: "elasticsearch", Shape: "rare term", Kith: times(900, 1000)},
			{
				Engine: "elasticsearch", Shape: "closest", Found: 25, Kith: times(7000, 9000), Without: times(2000, 3000),
				Closest: bench.Compared{Median: 3.5, P99: 3},
			},
		},
		Memory: bench.Memory{Resident: 100 << 20, Peak: 120 << 20, Heap: 50 << 20, Goroutines: 9},
	}
}

func TestReportPrintsATable(t *testing.T) {
	var out bytes.Buffer
	expect.NoError(t, sampleReport().WriteTable(&out))
	text := out.String()
	for _, want := range []string{
		"a machine, 200000 people", "postgres: Kith over HTTP", "rare term", "10000+", "60.00", "1.07",
		"kith/service 1.03 (p99 1.04)",
		"elasticsearch, closest: with closest people 3.50 (p99 3.00) times the page without, which takes 2.00 ms",
		"100 MiB resident",
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
	if len(back.Rows) != 4 || back.Rows[1].Kith.Median != 60*time.Millisecond {
		t.Errorf("read back as %+v", back)
	}
}

func TestReportListsExceededLimits(t *testing.T) {
	r := sampleReport()
	if over := r.Over(bench.Limits{}); len(over) != 0 {
		t.Errorf("without limits, exceeded: %q", over)
	}
	if over := r.Over(bench.Limits{Median: 61 * time.Millisecond, Closest: 3.5, Matching: 1}); len(over) != 0 {
		t.Errorf("within the limits, exceeded: %q", over)
	}
	over := r.Over(bench.Limits{Median: 50 * time.Millisecond, Closest: 3})
	if len(over) != 2 || !strings.Contains(over[1], `"closest" takes 3.50 times`) ||
		!strings.Contains(over[0], `"common term" takes 60.00 ms`) {
		t.Errorf("exceeded: %q", over)
	}
}

func TestReadMemoryReturnsEveryFigure(t *testing.T) {
	m, err := bench.ReadMemory()
	if err != nil || m.Heap == 0 || m.Goroutines == 0 || m.Peak < m.Resident {
		t.Errorf("got %+v, %v", m, err)
	}
}
