package search_test

import (
	"testing"

	"kith/internal/search"
	"kith/query"
)

// BenchmarkSearch measures a search without the engine: checks, planning, the statement, cursors and a page of 25.
func BenchmarkSearch(b *testing.B) {
	f := newFixture(b, dataset(25)...)
	for name, req := range map[string]search.Request{
		"prompt": {Prompt: "software engineers at Stripe in Berlin"},
		"filters": {Filters: query.Filters{
			query.FilterPosition: "software engineer", query.FilterCity: "Berlin", query.FilterPastCompany: "Siemens",
		}},
		"page": {Filters: query.Filters{query.FilterPersonName: "pat"}},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f.page(b, req)
			}
		})
	}
}
