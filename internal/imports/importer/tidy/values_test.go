package tidy_test

import (
	"fmt"
	"strings"
	"testing"

	"kith"
	"kith/internal/imports/importer/tidy"
)

func TestValuesAreTidied(t *testing.T) {
	for file, read := range map[string]func(string) string{
		"dates.tsv":     func(s string) string { return tidy.Date(s, tidy.UnknownOrder) },
		"companies.tsv": tidy.Company,
		"profiles.tsv":  tidy.Profile,
		"domains.tsv":   tidy.Domain,
		"emails.tsv":    func(s string) string { return strings.Join(tidy.Emails(s), " ") },
		"titles.tsv": func(s string) string {
			title, company, _ := strings.Cut(s, " | ")
			return tidy.Title(title, company)
		},
		"sizes.tsv": func(s string) string {
			least, most, ok := tidy.Size(s)
			if !ok {
				return "-"
			}
			return fmt.Sprintf("%d-%d", least, most)
		},
		"places.tsv": func(s string) string {
			var l kith.Location
			if f := strings.Split(s, "|"); len(f) == 3 {
				l, s = kith.Location{City: f[0], State: f[1], Country: f[2]}, ""
			}
			l = tidy.Location(s, l)
			return l.City + " | " + l.State + " | " + l.Country
		},
	} {
		t.Run(file, func(t *testing.T) {
			cases(t, file, func(in, want string) {
				if got := read(in); got != want {
					t.Errorf("%q is %q, not %q", in, got, want)
				}
			})
		})
	}
}

// An ambiguous date is read like the other dates of its column.
func TestColumnsDecideAmbiguousDates(t *testing.T) {
	for _, tt := range []struct {
		column string
		want   string
	}{
		{"3/4/2024 25/12/2023", "2024-04-03"},
		{"3/4/2024 12/25/2023", "2024-03-04"},
		{"3/4/2024", "2024-03-04"},
	} {
		if got := tidy.Date("3/4/2024", tidy.Learn(strings.Fields(tt.column))); got != tt.want {
			t.Errorf("in column %q the date is %s, not %s", tt.column, got, tt.want)
		}
	}
}

func TestTimesAreParsed(t *testing.T) {
	for in, want := range map[string]string{
		"1/29/26, 2:37 PM":          "2026-01-29T14:37:00Z",
		"1/29/26, 12:05 AM":         "2026-01-29T00:05:00Z",
		"2024-06-01 12:00:00 UTC":   "2024-06-01T12:00:00Z",
		"2024-06-01T12:00:00+02:00": "2024-06-01T10:00:00Z",
		"2024-06-01T12:00:00-0500":  "2024-06-01T17:00:00Z",
		"Mar 2020":                  "",
		"12 Mar 2024":               "2024-03-12T00:00:00Z",
	} {
		at, ok := tidy.Time(in, tidy.UnknownOrder)
		got := at.Format("2006-01-02T15:04:05Z")
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%q is %q, not %q", in, got, want)
		}
	}
}

func FuzzValues(f *testing.F) {
	for _, s := range []string{
		"12 Mar 2024", "1:2+3", "+:", "1:00 +", "Nov-50", "1-", "Paris, Texas", "https://x.y/z",
		"a@b.c", "U.S.", ".", "(", "1:0-1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d := tidy.Date(s, tidy.UnknownOrder); d != "" && len(d) != 4 && len(d) != 7 && len(d) != 10 {
			t.Errorf("%q is the date %q", s, d)
		}
		tidy.Time(s, tidy.DayFirst)
		tidy.Size(s)
		tidy.Location(s, kith.Location{})
		tidy.Location("", kith.Location{City: s, State: s, Country: s})
		tidy.Title(s, s)
		tidy.TitleAndCompany(s)
		tidy.Company(s)
		tidy.Emails(s)
		tidy.Profile(s)
		tidy.Domain(s)
	})
}
