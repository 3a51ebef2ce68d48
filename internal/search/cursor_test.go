package search_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kith"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
)

func TestCursorWithAnotherSearchIsRefused(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	first := search.Request{Prompt: "pat", Filters: berliners, Scope: "global", Limit: 3}
	cursor := f.page(t, first).Pagination.Cursor
	with := func(change func(*search.Request)) search.Request {
		req := first
		req.Cursor = cursor
		change(&req)
		return req
	}
	allowed := map[string]search.Request{
		"alone":           {Cursor: cursor},
		"repeated":        with(func(*search.Request) {}),
		"another limit":   with(func(r *search.Request) { r.Limit = 2 }),
		"limit alone":     {Cursor: cursor, Limit: 2},
		"without a scope": with(func(r *search.Request) { r.Scope = "" }),
		"resolved mode":   {Cursor: cursor, Mode: search.Simple},
		"mode auto":       {Cursor: cursor, Mode: search.Auto},
		"empty filters":   {Cursor: cursor, Filters: query.Filters{}},
		"explain":         {Cursor: cursor, Explain: new(true)},
	}
	for name, req := range allowed {
		t.Run(name, func(t *testing.T) {
			if ids := personIDs(t, f.page(t, req).People); ids[0] != 10 {
				t.Errorf("continued with %v", ids)
			}
		})
	}
	refused := map[string]search.Request{
		"another prompt":     with(func(r *search.Request) { r.Prompt = "pat number4" }),
		"another filter":     with(func(r *search.Request) { r.Filters = query.Filters{query.FilterCity: "Paris"} }),
		"without its filter": with(func(r *search.Request) { r.Filters = nil }),
		"without its prompt": with(func(r *search.Request) { r.Prompt = "" }),
		"another scope":      with(func(r *search.Request) { r.Scope = "network" }),
		"another mode":       with(func(r *search.Request) { r.Mode = search.Lookup }),
		"network filters": with(func(r *search.Request) {
			r.Scope, r.Network = "", &search.NetworkFilters{ExcludeTeams: true}
		}),
	}
	for name, req := range refused {
		t.Run(name, func(t *testing.T) {
			if e := f.refusal(t, req); e.Kind != kith.Invalid || e.Code != "CURSOR_MISMATCH" {
				t.Errorf("got %v (%s)", e, e.Code)
			}
		})
	}
}

func TestInvalidAndForeignCursorsAreRefused(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	cursor := f.page(t, search.Request{Prompt: "pat", Limit: 3}).Pagination.Cursor
	for _, bad := range []string{"x", cursor + "A", cursor[1:], strings.ToUpper(cursor), strings.Repeat("A", 100000)} {
		if e := f.refusal(t, search.Request{Cursor: bad}); e.Kind != kith.Malformed || e.Code != "CURSOR_INVALID" {
			t.Errorf("%.20q: %v", bad, e)
		}
	}
	for _, ctx := range []struct {
		name  string
		actor kith.Actor
	}{
		{"another user", kith.Actor{AppID: 1, UserID: 8}},
		{"another app", kith.Actor{AppID: 2, UserID: 7}},
		{"demo", kith.Actor{AppID: 1, UserID: 7, Demo: true}},
	} {
		if _, err := f.tryAs(t.Context(), ctx.actor.Viewer(),
			search.Request{Cursor: cursor}); kith.KindOf(err) != kith.Malformed {
			t.Errorf("%s: %v", ctx.name, err)
		}
	}
}

func TestCursorExpiresAfterARerank(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	cursor := f.page(t, search.Request{Prompt: "pat", Limit: 3}).Pagination.Cursor
	f.epoch = 2
	if e := f.refusal(t, search.Request{Cursor: cursor}); e.Kind != kith.Gone || e.Code != "CURSOR_EXPIRED" {
		t.Errorf("got %v", e)
	}
	f.epoch = -1
	if _, err := f.try(t.Context(), search.Request{Cursor: cursor}); err == nil || kith.KindOf(err) == kith.Gone {
		t.Errorf("without settings: %v", err)
	}
}

func TestCursorOfALongSearchIsAccepted(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	filters := query.Filters{query.FilterPersonName: strings.Repeat("patricia, ", 90) + "pat"}
	for _, name := range []query.FilterName{
		query.FilterCity, query.FilterCompany, query.FilterPastCompany, query.FilterPastPosition,
		query.FilterSkills, query.FilterSchool, query.FilterKeywords, query.FilterCompanyKeywords,
	} {
		filters[name] = strings.TrimSuffix(strings.Repeat("-zzz"+string(name)+", ", 40), ", ")
	}
	p := f.page(t, search.Request{Prompt: "pat", Filters: filters, Limit: 3})
	next := f.page(t, search.Request{Cursor: p.Pagination.Cursor})
	if len(next.People) != 3 || len(p.Pagination.Cursor) > 4000 {
		t.Errorf("%d people, cursor of %d bytes", len(next.People), len(p.Pagination.Cursor))
	}
}

func TestCountsTokenReturnsTheCounts(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	first := f.page(t, search.Request{Prompt: "pat", Filters: berliners, Limit: 3, IncludeCounts: "all"})
	c := first.Metadata.Counts
	if c == nil || c.Global == nil || c.Network == nil {
		t.Fatalf("counts: %+v", c)
	}
	expect.Values(t, "counts", []any{*c.Global, *c.Network},
		search.GlobalCount{Value: 10, Cap: 10000}, search.NetworkCount{})
	later := search.Request{
		Cursor: first.Pagination.Cursor, CountsToken: first.Metadata.CountsToken,
		IncludeCounts: "all",
	}
	again := f.page(t, later).Metadata
	if again.Counts == nil || *again.Counts.Global != *c.Global || again.CountsToken != first.Metadata.CountsToken {
		t.Errorf("a later page: %+v", again.Counts)
	}
	later.CountsToken = ""
	if m := f.page(t, later).Metadata; m.Counts != nil || m.CountsToken != "" {
		t.Errorf("counted on a later page: %+v", m.Counts)
	}
	if e := f.refusal(t, search.Request{Prompt: "pat", CountsToken: "x"}); e.Kind != kith.Malformed ||
		e.Code != "COUNTS_TOKEN_INVALID" {
		t.Errorf("garbage: %v", e)
	}
	other := search.Request{Prompt: "pat", CountsToken: first.Metadata.CountsToken}
	if e := f.refusal(t, other); e.Kind != kith.Invalid || e.Code != "COUNTS_TOKEN_MISMATCH" {
		t.Errorf("another search: %v", e)
	}
	if e := f.refusal(t, search.Request{Cursor: first.Metadata.CountsToken}); e.Kind != kith.Malformed {
		t.Errorf("as a cursor: %v", e)
	}
}

// A count token of a list is valid for another request with the same list.
func TestCountsTokenOfAList(t *testing.T) {
	f := newFixture(t, dataset(10)...)
	req := listOf(search.ListEntry{ID: "1"}, search.ListEntry{ID: "pat-2"})
	req.IncludeCounts = "all"
	first := f.page(t, req).Metadata
	req.CountsToken = first.CountsToken
	again := f.page(t, req).Metadata
	if again.Counts == nil || *again.Counts.Global != *first.Counts.Global || again.CountsToken != first.CountsToken {
		t.Errorf("the same list: %+v", again.Counts)
	}
	req.List = req.List[:1]
	if e := f.refusal(t, req); e.Code != "COUNTS_TOKEN_MISMATCH" {
		t.Errorf("another list: %v", e)
	}
}

func TestCountsAreCapped(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	cfg := f.config
	for limit, want := range map[int]search.GlobalCount{
		9: {Value: 9, IsCapped: true, Cap: 9}, 10: {Value: 10, Cap: 10}, 11: {Value: 10, Cap: 11},
	} {
		cfg.CountCap = limit
		f.Service = search.New(cfg)
		p := f.page(t, search.Request{Filters: berliners, IncludeCounts: "global"})
		if p.Metadata.Counts.Network != nil || *p.Metadata.Counts.Global != want {
			t.Errorf("cap %d: %+v", limit, p.Metadata.Counts.Global)
		}
	}
	if p := f.page(t, search.Request{Filters: berliners, IncludeCounts: "network"}); p.Metadata.Counts.Global != nil {
		t.Errorf("counted globally without being asked")
	}
}

// A cursor contains the whole search. The server must accept every cursor that it has issued.
func TestEveryCursorIsAccepted(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	noise := rand.New(rand.NewPCG(1, 2))
	random := func() string { // long text that does not compress
		var words []string
		for range 60 {
			word := []byte("-a")
			for range 60 {
				word = append(word, "abcdefghijklmnopqrstuvwxyz0123456789"[noise.IntN(36)])
			}
			words = append(words, string(word))
		}
		return strings.Join(words, ",")
	}
	names := []query.FilterName{
		query.FilterPosition, query.FilterKeywords, query.FilterCompany, query.FilterCompanyIndustry,
		query.FilterCompanyKeywords,
		query.FilterSkills, query.FilterSchool, query.FilterDegree, query.FilterFieldOfStudy, query.FilterPastPosition,
		query.FilterPastCompany, query.FilterAnyPosition, query.FilterAnyCompany, query.FilterPreviousPosition,
		query.FilterCity,
	}
	refused := 0
	for n := range names {
		filters := query.Filters{}
		for _, name := range names[:n+1] {
			filters[name] = random()
		}
		p, err := f.try(t.Context(), search.Request{Filters: filters, Scope: search.ScopeGlobal, Limit: 1})
		if err != nil {
			if kith.KindOf(err) != kith.Invalid {
				t.Fatal(err)
			}
			refused++
			continue
		}
		if len(p.Pagination.Cursor) > search.MaxCursor {
			t.Errorf("%d filters: a cursor of %d bytes", n+1, len(p.Pagination.Cursor))
		}
		f.page(t, search.Request{Cursor: p.Pagination.Cursor})
	}
	if refused == 0 || refused == len(names) {
		t.Errorf("%d of %d searches were refused", refused, len(names))
	}
}

func TestTooManyIntroducersAreRefused(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	noise := rand.New(rand.NewPCG(1, 2))
	var ids []string
	for range 1000 {
		ids = append(ids, fmt.Sprintf("%016x%016x%016x%016x", noise.Uint64(), noise.Uint64(), noise.Uint64(),
			noise.Uint64()))
	}
	e := f.refusal(t, search.Request{Prompt: "pat", Network: &search.NetworkFilters{IntroducerSocialIDs: ids}})
	if len(e.Fields) != 1 || e.Fields[0].Field != "network_filters" {
		t.Errorf("got %+v", e.Fields)
	}
}
