package analysis_test

import (
	"testing"
	"time"

	"kith"
	"kith/index/analysis"
	"kith/index/memindex"
	"kith/query"
)

// finds reports whether a filter finds a person.
func finds(t *testing.T, p kith.Person, name query.FilterName, value string) bool {
	t.Helper()
	c, problems := analysis.Compile(query.Filters{name: value}, time.Now())
	if problems != nil {
		t.Fatalf("%s: %s: %v", name, value, problems)
	}
	return memindex.Match(document(t, p), c.Query)
}

func TestSpellingsOfACompany(t *testing.T) {
	for _, tt := range []struct {
		record, asked string
		want          bool
	}{
		{"Ernst & Young", "Ernst and Young", true},
		{"Ernst & Young LLP", "=Ernst and Young", true},
		{"Marks and Spencer", "Marks & Spencer", true},
		{"Marks and Spencer", "=Marks & Spencer", true},
		{"Marks and Spencer", `"Marks and Spencer"`, true},
		{"Marks & Spencer", `"marks and spencer"`, true},
		{"H&M", "H & M", true},
		{"H & M", "H&M", true},
		{"h & m", "=H&M", true},
		{"AT & T Inc.", "AT&T", true},
		{"M&S", "M and S", true},
		{"Tiffany and Co.", "Tiffany & Co.", true},
		{"Foo AG & Co. KG", "Foo", true},
		{"Johnson & Johnson", "Johnson & Johnson", true},
		{"Johnson & Johnson Services", "Johnson and Johnson", true},
		{"Johnson Controls", "Johnson & Johnson", false},
		{"S.C. Johnson", "-Johnson & Johnson", true},
		{"H&M", "H&P", false},
	} {
		if got := finds(t, kith.Person{FullName: "X", WorkHistory: []kith.Job{held("CEO", tt.record, "")}}, query.FilterCompany, tt.asked); got != tt.want {
			t.Errorf("%q finds who works at %q: %t; want %t", tt.asked, tt.record, got, tt.want)
		}
	}
}
