package indextest_test

import (
	"slices"
	"testing"

	"kith/index/indextest"
	"kith/query"
)

// Every filter that is about one of several jobs in another way than the
// specification's has a case of each sign and one that finds no one.
func TestFilterCasesAreComplete(t *testing.T) {
	table := query.FilterTable()
	first := slices.IndexFunc(table, func(info query.FilterInfo) bool { return info.Name == query.FilterAnyPosition })
	for _, info := range table[first:] {
		if info.Name == query.FilterEmail {
			continue
		}
		var excludes, requires, empty bool
		for _, c := range indextest.FilterCases(t) {
			value, has := c.Filters[info.Name]
			if !has {
				continue
			}
			alts, err := query.ParseFilter(value)
			if err != nil {
				t.Fatal(err)
			}
			excludes = excludes || slices.ContainsFunc(alts, func(a query.Alternative) bool { return a.Excluded })
			requires = requires || slices.ContainsFunc(alts, func(a query.Alternative) bool { return a.Required })
			empty = empty || len(c.Want) == 0
		}
		if !excludes || !requires || !empty {
			t.Errorf("%s: a case that excludes: %t, that requires: %t, that finds no one: %t", info.Name, excludes, requires,
				empty)
		}
	}
}
