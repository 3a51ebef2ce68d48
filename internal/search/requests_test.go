package search_test

import (
	"maps"

	"pgregory.net/rapid"

	"kith/internal/search"
	"kith/query"
	"kith/query/indexed"
)

func requests() *rapid.Generator[search.Request] {
	return rapid.Custom(func(t *rapid.T) search.Request {
		req := search.Request{
			Prompt: rapid.SampledFrom([]string{
				"", "pat", "find engineers at Stripe", "xyzzy", "Number7", "?!", "pat3@example.com",
			}).Draw(t, "prompt"),
			Limit:         rapid.IntRange(1, 40).Draw(t, "limit"),
			Scope:         rapid.SampledFrom([]string{"", "global", "network", "specific_list"}).Draw(t, "scope"),
			Explain:       new(rapid.Bool().Draw(t, "explain")),
			IncludeCounts: rapid.SampledFrom([]string{"", "all", "global"}).Draw(t, "counts"),
			Filters:       query.Filters{},
		}
		if rapid.Bool().Draw(t, "facets") {
			req.Facets = indexed.Facets()[:2]
		}
		for _, f := range []query.Filters{
			berliners, engineers,
			{query.FilterPastCompany: "Siemens"},
			{query.FilterCity: "-Paris"},
		} {
			if rapid.Bool().Draw(t, "filter") {
				maps.Copy(req.Filters, f)
			}
		}
		if req.Scope == search.ScopeList {
			ids := rapid.SliceOfN(rapid.SampledFrom([]string{
				"1", "2", "pat-3", "pat-4", "nobody",
				"https://social.example/in/pat-5",
			}), 1, 8)
			for _, id := range ids.Draw(t, "list") {
				req.List = append(req.List, search.ListEntry{ID: id})
			}
		} else if req.Prompt == "" && len(req.Filters) == 0 {
			req.Prompt = "pat"
		}
		return req
	})
}
