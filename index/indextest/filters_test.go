package indextest_test

import (
	"slices"
	"testing"

	"kith/index/indextest"
	"kith/internal/test/expect"
	"kith/query"
)

// Every filter whose job semantics differ from the specification has a case for each sign, and a case without matches.
func TestFilterCasesAreComplete(t *testing.T) {
	table := query.FilterTable()
	first := slices.IndexFunc(table, func(info query.FilterInfo) bool { return info.Name == query.FilterAnyPosition })
	for _, info := range table[first:] {
		if info.Name == query.FilterEmail {
			continue
		}
		var excludes, requires, empty bool
		for _, c := range indextest.FilterCases(t)["records"] {
			value, has := c.Filters[info.Name]
			if !has {
				continue
			}
			alts, err := query.ParseFilter(value)
			expect.NoError(t, err)
			excludes = excludes || slices.ContainsFunc(alts, func(a query.Alternative) bool { return a.Excluded })
			requires = requires || slices.ContainsFunc(alts, func(a query.Alternative) bool { return a.Required })
			empty = empty || len(c.Want) == 0
		}
		if !excludes || !requires || !empty {
			t.Errorf("%s: has an excluding case: %t, a requiring case: %t, a case without matches: %t",
				info.Name, excludes, requires, empty)
		}
	}
}
