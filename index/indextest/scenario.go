package indextest

import (
	"slices"
	"testing"

	"kith"
	"kith/index"
	"kith/query"
	"kith/query/indexed"
)

// scenario is one story of writing and reading, told to a new engine.
type scenario struct {
	name string
	run  func(t *testing.T, e Engine)
}

func scenarios() []scenario {
	return []scenario{
		{"an engine starts with one empty active version", startsEmpty},
		{"an update replaces everything", updateReplaces},
		{"a write that is not newer changes nothing", staleWrite},
		{"a deleted document is gone until it is written again", deletes},
		{"of one document twice in a write the newest counts", twiceInOneWrite},
		{"a repeated write is harmless", repeatedWrite},
		{"racing writes leave the newest", racingWrites},
		{"a record comes back as it was written", recordAsWritten},
		{"long values are found whole", longValues},
		{"a person with many jobs", manyJobs},
		{"sixty thousand values", manyValues},
		{"a long walk", longWalk},
		{"versions are apart", versionsApart},
		{"unknown versions", unknownVersions},
		{"a walk continues in another version", walkAcrossVersions},
		{"searches during switches miss no one", searchDuringSwitches},
		{"a canceled search", canceled},
	}
}

// person returns a document whose city and current and past titles are given.
func person(id, rank, version int64, city string, titles ...string) indexed.Document {
	d := indexed.Document{
		ID: id, Rank: rank, Version: version, Fields: NewFields(), Nested: map[query.Path][]indexed.Fields{},
		Facets: map[indexed.Facet]string{indexed.FacetCity: city}, Record: []byte(`{"city":"` + city + `"}`),
	}
	d.Fields.Keywords[query.City] = []string{city}
	for _, title := range titles {
		job := NewFields()
		job.Words[query.Title] = [][]string{{title}}
		d.Nested[query.Past] = append(d.Nested[query.Past], job)
	}
	Complete(&d)
	return d
}

// inCity and wasA are the conditions that the scenarios ask for.
func inCity(city string) query.Query { return query.Term{Field: query.City, Value: city} }

func wasA(title string) query.Query {
	// The second condition makes it one that only the sub-documents answer.
	return query.Nested{Path: query.Past, Part: query.And{Parts: []query.Query{
		query.Term{Field: query.Title, Value: title}, query.Not{Part: query.Exists{Field: query.Company}},
	}}}
}

// Store writes documents to the active version and makes them visible.
func Store(t testing.TB, e Engine, c index.Collection, docs ...indexed.Document) {
	t.Helper()
	write(t, e, c, []string{active(t, e)}, docs, nil)
}

// Drop deletes documents of the active version and makes that visible.
func Drop(t testing.TB, e Engine, c index.Collection, ids ...int64) {
	t.Helper()
	write(t, e, c, []string{active(t, e)}, nil, ids)
}

func write(t testing.TB, e Engine, c index.Collection, versions []string, docs []indexed.Document, deletes []int64) {
	t.Helper()
	if err := e.Write(t.Context(), c, versions, kith.Each(docs, indexed.Flatten), deletes); err != nil {
		t.Fatalf("writing: %v", err)
	}
	if err := e.Refresh(t.Context()); err != nil {
		t.Fatalf("making writes visible: %v", err)
	}
}

// active returns the name of the active version, of which there must be one.
func active(t testing.TB, e Engine) string {
	t.Helper()
	versions, err := e.Versions(t.Context())
	if err != nil {
		t.Fatalf("listing the versions: %v", err)
	}
	name := ""
	for _, v := range versions {
		if v.Active && name != "" {
			t.Fatalf("two active versions: %v", versions)
		}
		if v.Active {
			name = v.Name
		}
	}
	if name == "" {
		t.Fatalf("no active version: %v", versions)
	}
	return name
}

// brief is a query for a message, cut short: values may have thousands of characters.
func brief(q query.Query) string {
	text := query.String(q)
	return text[:min(len(text), 1000)]
}

// finds checks which people a query finds, in order, and that the count agrees.
func finds(t testing.TB, e Engine, q query.Query, want ...int64) {
	t.Helper()
	s := index.Search{Stages: []query.Query{q}, Limit: 1000}
	found, err := walk(t.Context(), index.New(e), s, 1)
	if err != nil {
		t.Fatalf("%s: %v", brief(q), err)
	}
	if got := foundIDs(found); !slices.Equal(got, want) {
		t.Fatalf("%s: got %v, want %v", brief(q), got, want)
	}
	if n, _, err := index.New(e).Count(t.Context(), index.Prepare(q), 0); err != nil || n != len(want) {
		t.Fatalf("%s: counted %d, %v, want %d", brief(q), n, err, len(want))
	}
}
