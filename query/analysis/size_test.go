package analysis_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
)

// show writes bounds as [min,max], with * for an open one.
func show(b analysis.Bounds) string {
	bound := func(p *int64) string {
		if p == nil {
			return "*"
		}
		return fmt.Sprint(*p)
	}
	return "[" + bound(b.Min) + "," + bound(b.Max) + "]"
}

func TestSizeRange(t *testing.T) {
	for in, want := range expect.Examples(t, "testdata/sizes.txt") {
		got, err := analysis.SizeRange(in)
		if err != nil || show(got) != want {
			t.Errorf("SizeRange(%q) = %s, %v; want %s", in, show(got), err, want)
		}
	}
	for _, in := range []string{
		"", "-", "big", "-50", "50-", "5-x", "<", ">=", "+", "1.5", "1,00", "12,34,567", "1e9", "0x10",
		"99999999999999999999", "50-200-300", "k", ".k", "1..k", "٥", "<<5", "five",
	} {
		if got, err := analysis.SizeRange(in); !errors.Is(err, analysis.ErrRange) {
			t.Errorf("SizeRange(%q) = %s, %v; want an error", in, show(got), err)
		}
	}
}

func TestSizeBandsAreRanges(t *testing.T) {
	for _, n := range []int{1, 10, 11, 50, 51, 200, 201, 500, 501, 1000, 1001, 5000, 5001, 10000, 10001, 2000000} {
		b, err := analysis.SizeRange(analysis.SizeBand(n))
		if err != nil || int64(n) < *b.Min || b.Max != nil && int64(n) > *b.Max {
			t.Errorf("SizeBand(%d) = %q, which is %s, %v", n, analysis.SizeBand(n), show(b), err)
		}
	}
	if band := analysis.SizeBand(0); band != "" {
		t.Errorf("SizeBand(0) = %q", band)
	}
}

func TestYearRange(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"2015", "[2015,2015]"},
		{"2010-2020", "[2010,2020]"},
		{">2015", "[2016,*]"},
		{"2015+", "[2015,*]"},
		{"<2000", "[*,1999]"},
		{"<=2000", "[*,2000]"},
	} {
		got, err := analysis.YearRange(tt.in)
		if err != nil || show(got) != tt.want {
			t.Errorf("YearRange(%q) = %s, %v; want %s", tt.in, show(got), err, tt.want)
		}
	}
	if _, err := analysis.YearRange("2k"); !errors.Is(err, analysis.ErrRange) {
		t.Errorf("2k is not a year, but the error is %v", err)
	}
}

// Commas separate thousands if they cannot separate alternatives.
func TestCommasMayGroupThousands(t *testing.T) {
	for value, same := range map[string]string{
		"1,000":          "1000",
		"10,000+":        "10000+",
		">=1,000,000":    "1000000+",
		"1,000-5,000":    "1000-5000",
		"-1,000, 50-200": "50-200, -1000",
		"51-200,201-500": "51-200, 201-500",
		"1-10,11-50":     "1-10, 11-50",
		"<50,1,000+":     "<50, 1000+",
		`"1,500"`:        "1500",
	} {
		var queries []string
		for _, v := range []string{value, same} {
			c, problems := analysis.Compile(query.Filters{query.FilterCompanySize: v}, time.Now())
			if problems != nil {
				t.Fatalf("%s: %v", v, problems)
			}
			queries = append(queries, query.String(query.Simplify(c.Query)))
		}
		if queries[0] != queries[1] {
			t.Errorf("%s is %s, want %s", value, queries[0], queries[1])
		}
	}
}

func TestSinceRange(t *testing.T) {
	now := time.Date(2024, 6, 15, 13, 0, 0, 0, time.UTC)
	day := func(s string) int64 {
		d, err := analysis.ParseDay(s, false)
		expect.NoError(t, err)
		return d
	}
	for _, tt := range []struct {
		in       string
		in1, out string // the outermost start inside, and its neighbour outside
	}{
		{"5+", "2019-06-15", "2019-06-16"},
		{">=5", "2019-06-15", "2019-06-16"},
		{">5", "2019-06-14", "2019-06-15"},
		{"<2", "2022-06-16", "2022-06-15"},
		{"<=2", "2021-06-16", "2021-06-15"},
		{"<=1", "2022-06-16", "2022-06-15"},
		{"3-7", "2021-06-15", "2021-06-16"},
		{"3-7", "2016-06-16", "2016-06-15"},
		{"5-5", "2019-06-15", "2019-06-16"},
		{"5-5", "2018-06-16", "2018-06-15"},
		{"3-7 years", "2018-01-01", "2022-01-01"},
		{"5", "2019-06-15", "2019-06-16"},
		{"5", "2018-06-16", "2018-06-15"},
		{"0", "2024-06-15", "2023-06-15"},
		{"0", "2024-12-31", "2023-06-15"},
		{"0-1", "2024-12-31", "2022-06-15"},
		{">0", "2024-06-14", "2024-06-15"},
		{"10+ years", "2014-06-15", "2014-06-16"},
		{"<1 year", "2024-01-01", "2023-06-15"},
	} {
		b, err := analysis.SinceRange(tt.in, now)
		if err != nil {
			t.Errorf("SinceRange(%q): %v", tt.in, err)
			continue
		}
		if !within(b, day(tt.in1)) || within(b, day(tt.out)) {
			t.Errorf("SinceRange(%q) = %s; want it to have %s (%d) and not %s (%d)", tt.in, show(b), tt.in1,
				day(tt.in1), tt.out, day(tt.out))
		}
	}
	for _, in := range []string{"0+", ">=0"} {
		if b, err := analysis.SinceRange(in, now); err != nil || b.Min != nil || b.Max != nil {
			t.Errorf("SinceRange(%q) = %s, %v; want no bounds", in, show(b), err)
		}
	}
	for _, in := range []string{"", "some", "1k", "151+", "2-200", "-1"} {
		if b, err := analysis.SinceRange(in, now); !errors.Is(err, analysis.ErrRange) {
			t.Errorf("SinceRange(%q) = %s, %v; want an error", in, show(b), err)
		}
	}
}

// On 29 February, a job that began on 1 March is not a full year old yet.
func TestSinceRangeOnALeapDay(t *testing.T) {
	now := time.Date(2024, 2, 29, 13, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ in, in1, out string }{
		{"5+", "2019-02-28", "2019-03-01"},
		{"4+", "2020-02-29", "2020-03-01"},
		{"<=5", "2018-03-01", "2018-02-28"},
		{">5", "2019-02-28", "2019-03-01"},
		{">4", "2020-02-28", "2020-02-29"},
	} {
		b, err := analysis.SinceRange(tt.in, now)
		first, errIn := analysis.ParseDay(tt.in1, false)
		other, errOut := analysis.ParseDay(tt.out, false)
		if errors.Join(err, errIn, errOut) != nil || !within(b, first) || within(b, other) {
			t.Errorf("%s: %s, want it to have %s and not %s", tt.in, show(b), tt.in1, tt.out)
		}
	}
}

func within(b analysis.Bounds, v int64) bool {
	return (b.Min == nil || v >= *b.Min) && (b.Max == nil || v <= *b.Max)
}

func TestParseDay(t *testing.T) {
	for _, tt := range []struct {
		in   string
		end  bool
		want int64
	}{
		{"1970", false, 0},
		{"1970-01", false, 0},
		{"1970-01-01", false, 0},
		{"1970-01-01", true, 0},
		{"1970", true, 364},
		{"1970-01", true, 30},
		{"1969-12-31", false, -1},
		{"1900", false, -25567},
		{"2024-02", true, 19782},
		{"2024-02-29", false, 19782},
		{"2024-12", true, 20088},
	} {
		if got, err := analysis.ParseDay(tt.in, tt.end); err != nil || got != tt.want {
			t.Errorf("ParseDay(%q, %v) = %d, %v; want %d", tt.in, tt.end, got, err, tt.want)
		}
	}
	for _, in := range []string{
		"", "20", "2024-", "2024-1", "2024-13", "2024-00", "2024-02-30", "2023-02-29", "2024-01-00", "2024-01-32",
		"2024/01/01", "24-01-01", "1799", "2201", "now", "20240101", "2024-01-01T00:00:00Z", "-001", "٢٠٢٤",
		"2024-1-01",
	} {
		if got, err := analysis.ParseDay(in, false); err == nil {
			t.Errorf("ParseDay(%q) = %d; want an error", in, got)
		}
	}
}

func FuzzSizeRange(f *testing.F) {
	for _, s := range []string{"50-200", "<1k", "1,000+", "small", "--", "≥5", "9999999999999m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := analysis.SizeRange(s)
		if err == nil && b.Min == nil && b.Max == nil {
			t.Fatalf("SizeRange(%q) has no bound", s)
		}
		if err != nil && !errors.Is(err, analysis.ErrRange) {
			t.Fatalf("SizeRange(%q): %v", s, err)
		}
	})
}
