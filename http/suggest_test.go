package http_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	kithhttp "kith/http"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/internal/search"
	"kith/internal/search/suggest"
	"kith/internal/search/suggest/suggesttest"
	"kith/internal/test/expect"
	"kith/query/analysis"
	"kith/query/indexed"
)

// suggesting starts a server over the people of the completion tests.
func suggesting(t *testing.T) *fixture {
	t.Helper()
	return newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		people := suggesttest.People()
		words, err := suggesttest.New(people)
		expect.NoError(t, err)
		ix := memindex.New()
		var docs []indexed.Document
		for _, p := range people {
			d, err := analysis.Person(p, 10-p.ID, 1)
			expect.NoError(t, err)
			docs = append(docs, d)
		}
		indextest.Store(t, ix, index.People, docs...)
		searching := searchConfig(t, f.db, nil)
		searching.Index = index.New(ix)
		cfg.Datasets[0].Suggest = suggest.New(words, search.New(searching))
	})
}

func (f *fixture) suggest(field suggest.Field, text string, more ...string) answer {
	f.t.Helper()
	query := url.Values{"field": {string(field)}, "q": {text}}.Encode()
	return f.call(http.MethodGet, "/v2/suggest?"+strings.Join(append([]string{query}, more...), "&"), "", f.bearer())
}

func (a answer) suggestions(t *testing.T) []suggest.Suggestion {
	t.Helper()
	var found []suggest.Suggestion
	expect.NoError(t, json.Unmarshal(a.wants(t, http.StatusOK, "").envelope(t).Data, &found))
	return found
}

// Each suggestion, used as a filter, finds at least one of its people.
func TestSuggestionsWorkAsFilters(t *testing.T) {
	t.Parallel()
	f := suggesting(t)
	found := f.suggest(suggest.FieldCity, "munich").suggestions(t)
	if len(found) != 1 || found[0].Value != `"Munich, Germany"` || found[0].Count != 2 {
		t.Fatalf("munich: %+v", found)
	}
	found = f.suggest(suggest.FieldPerson, "Anna Mü").suggestions(t)
	if len(found) != 1 || found[0].Person == nil || found[0].Person.ID != 1 || found[0].Value != "Anna Müller" {
		t.Fatalf("a person: %+v", found)
	}
	found = f.suggest(suggest.FieldPosition, "s", "limit=1").suggestions(t)
	if len(found) != 1 || found[0].Text != "Software Engineer" {
		t.Errorf("filter by the first of two suggestions: %+v", found)
	}
}

// Callers of a dataset get no suggestions from another.
func TestSuggestKeepsDatasetsApart(t *testing.T) {
	t.Parallel()
	f := suggesting(t)
	other := newFixture(t, func(o *fixture, cfg *kithhttp.Config) {
		words, err := suggesttest.New(nil)
		expect.NoError(t, err)
		cfg.Datasets[0].Suggest = suggest.New(words, cfg.Datasets[0].Search)
	})
	for _, c := range suggesttest.Cases() {
		if found := other.suggest(c.Field, c.Text).suggestions(t); len(found) > 0 {
			t.Errorf("%s %q: a caller of the other dataset sees %+v", c.Field, c.Text, found)
		}
	}
	f.call(http.MethodGet, "/v2/suggest?field=company&q=ac", "", other.bearer()).wants(t, http.StatusUnauthorized,
		"TOKEN_INVALID")
}

func TestSuggestRefusesBadQueries(t *testing.T) {
	t.Parallel()
	f := suggesting(t)
	for _, c := range []struct{ query, field, code string }{
		{"field=company", "q", "REQUIRED"},
		{"field=company&q=%20", "q", "REQUIRED"},
		{"field=company&q=%ff", "q", "INVALID_VALUE"},
		{"field=company&q=" + strings.Repeat("x", 101), "q", "TOO_LONG"},
		{"field=prompt&q=" + strings.Repeat("x", 1001), "q", "TOO_LONG"},
		{"q=a", "field", "INVALID_VALUE"},
		{"field=hobby&q=a", "field", "INVALID_VALUE"},
		{"field=company&q=a&limit=0", "limit", "OUT_OF_RANGE"},
		{"field=company&q=a&limit=26", "limit", "OUT_OF_RANGE"},
		{"field=company&q=a&limit=x", "limit", "OUT_OF_RANGE"},
		{"field=company&q=a&q=b", "q", "REPEATED"},
		{"field=company&q=a&size=3", "size", "UNKNOWN_FIELD"},
	} {
		refused := f.call(http.MethodGet, "/v2/suggest?"+c.query, "", f.bearer())
		e := refused.wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED").envelope(t)
		if len(e.Error.Errors) != 1 || e.Error.Errors[0].Field != c.field || e.Error.Errors[0].Code != c.code {
			t.Errorf("%.40s: %+v, want %s %s", c.query, e.Error.Errors, c.field, c.code)
		}
	}
	all := f.call(http.MethodGet, "/v2/suggest?field=hobby&limit=0", "", f.bearer()).envelope(t).Error.Errors
	if len(all) != 3 || all[0].Field != "field" || all[1].Field != "limit" || all[2].Field != "q" {
		t.Errorf("problems are %+v, want those of field, limit and q", all)
	}
	f.call(http.MethodGet, "/v2/suggest?q=%zz", "", f.bearer()).wants(t, http.StatusBadRequest, "QUERY_MALFORMED")
	f.call(http.MethodGet, "/v2/suggest?field=company&q=a", "").wants(t, http.StatusUnauthorized, "TOKEN_MISSING")
	f.call(http.MethodPost, "/v2/suggest", "{}", f.bearer()).wants(t, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
}
