package pgindex

import (
	"slices"
	"strconv"
	"testing"

	"kith/index"
	"kith/query"
	"kith/query/indexed"
)

// Phrases of titles become single terms, wherever they occur in a query. Phrases of one field are
// merged with its terms; others stay as they are.
func TestPhrasesOfTitlesBecomeTerms(t *testing.T) {
	title, skill := query.Title.In(query.Current), query.Skill
	phrase := func(f query.Field, words ...string) query.Query { return query.Phrase{Field: f, Words: words} }
	anyOrder := query.Phrase{Field: title, Words: []string{"software", "engineer"}, AnyOrder: true}
	for name, c := range map[string]struct{ q, want query.Query }{
		"alternatives": {
			query.Or{Parts: []query.Query{phrase(title, "software", "engineer"), query.Term{
				Field: title,
				Value: "coder",
			}}},
			query.Terms{Field: title, Values: []string{"software engineer", "coder"}},
		},
		"a job": {
			query.Nested{Path: query.Past, Part: phrase(query.Title, "head", "of", "sales")},
			query.Nested{Path: query.Past, Part: query.Term{Field: query.Title, Value: "head of sales"}},
		},
		"an exclusion": {query.Not{Part: phrase(title, "a", "b")}, query.Not{Part: query.Term{
			Field: title,
			Value: "a b",
		}}},
		"a former title": {phrase(query.FromTitle, "a", "b"), query.Term{Field: query.FromTitle, Value: "a b"}},
		"a long phrase":  {phrase(title, "a", "b", "c", "d", "e"), phrase(title, "a", "b", "c", "d", "e")},
		"any order":      {anyOrder, anyOrder},
		"another field":  {phrase(skill, "machine", "learning"), phrase(skill, "machine", "learning")},
	} {
		if got := byShingles(c.q); !query.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The terms of a document include every phrase that a query may look up.
func TestDocumentHasItsShinglesAsTerms(t *testing.T) {
	f := indexed.Fields{Words: map[query.Field][][]string{
		query.Title.In(query.Past): {{"a", "b", "c", "d", "e"}, {"x"}},
		query.Skill:                {{"y", "z"}},
	}}
	want := []string{
		"past.title:a", "past.title:a b", "past.title:a b c", "past.title:a b c d", "past.title:b", "past.title:b c",
		"past.title:b c d",
		"past.title:b c d e", "past.title:c", "past.title:c d", "past.title:c d e", "past.title:d", "past.title:d e",
		"past.title:e", "past.title:x",
		"skill:y", "skill:z",
	}
	var got []string
	eachTerm(f, func(name query.Field, value string) { got = append(got, query.SQLTerm(name, value)) })
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("the terms are %q, want %q", got, want)
	}
}

// Postgres would test long sets on each row that another condition finds. They become one condition
// of the index, and indexes on numbers or redundant alternatives are not used beside it.
func TestLongSetsBecomeOneCondition(t *testing.T) {
	known := newStatistics(documents(index.People), nil)
	known.rows, known.rest = 1_000_000, 0.03
	known.share[hashTerm(query.SQLTerm(query.JobCount, indexed.OneJob))] = 0.9
	title := query.Terms{Field: query.Title.In(query.Current)}
	for i := range 40 {
		title.Values = append(title.Values, "engineer "+strconv.Itoa(i))
	}
	titles := query.Or{Parts: []query.Query{
		title,
		query.Term{Field: query.TitleExact.In(query.Current), Value: "engineer"},
	}}
	w := &writer{}
	if sql, whole := w.indexCondition(titles, known.source); sql != "(p.terms && $1)" || !whole {
		t.Errorf("the index condition is %s, exact: %v", sql, whole)
	}
	least := int64(3)
	years := query.Range{Field: query.Experienced, Min: &least}
	oneJob := query.Term{Field: query.JobCount, Value: indexed.OneJob}
	job := query.Or{Parts: []query.Query{
		query.And{Parts: []query.Query{oneJob, titles, query.Range{
			Field: query.Tenure.In(query.Current),
			Min:   &least,
		}}},
		query.Nested{Path: query.Current, Part: query.Range{Field: query.Tenure, Min: &least}},
	}}
	split, _ := known.splits(query.And{Parts: []query.Query{titles, years, job}})
	if len(split.indexed) != 1 || !query.Equal(split.indexed[0], titles) {
		t.Errorf("the index conditions are %v, want the titles alone", split.indexed)
	}
}
