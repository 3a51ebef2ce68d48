package pgindex_test

import (
	"testing"

	"kith/index"
	"kith/index/indextest"
	"kith/index/pgindex"
	"kith/internal/expect"
	"kith/internal/pgtest"
	"kith/query"
)

// A version of an earlier Kith can be written, searched, and read through its view.
func TestSetupUpgradesEarlierVersions(t *testing.T) {
	pool := pgtest.Pool(t)
	ix := pgtest.Engine(t, pool)
	name := activeVersion(t, ix)
	_, err := pool.Exec(t.Context(), `DROP VIEW people_search, people_search_nested;
ALTER TABLE people_`+name+` DROP COLUMN rising, DROP COLUMN current_stay, DROP COLUMN one_job;
ALTER TABLE people_nested_`+name+` DROP COLUMN stay;`)
	expect.NoError(t, err)
	for range 2 {
		expect.NoError(t, pgindex.New(pool).Setup(t.Context()))
	}
	write(t, ix, name)
	hits, err := ix.Find(t.Context(), index.People,
		index.FindRequest{Query: query.Exists{Field: query.Rising}, SortBy: query.Rising, Limit: 1})
	if err != nil || len(hits) != 1 || hits[0].ID != 4 {
		t.Errorf("found %v, %v, want the person with the fastest rise", hits, err)
	}
	var seen int
	if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM people_search WHERE rising > 0").Scan(&seen); err != nil ||
		seen == 0 {
		t.Errorf("the view shows %d people, %v", seen, err)
	}
}

// The documents of a version of an earlier Kith have no shingles. Searches find phrases of titles there nevertheless.
func TestPhrasesAreFoundInVersionsWithoutShingles(t *testing.T) {
	pool := pgtest.Pool(t)
	ix := pgtest.Engine(t, pool)
	makeTextual(t, pool)
	name := activeVersion(t, ix)
	doc := index.Flat{ID: 1, Rank: 1, Version: 1, Fields: indextest.NewFields()}
	title := query.Title.In(query.Current)
	doc.Fields.Words[title] = [][]string{{"software", "engineer"}}
	expect.NoError(t, ix.Write(t.Context(), index.People, []string{name}, []index.Flat{doc}, nil))
	_, err := pool.Exec(t.Context(), `ALTER TABLE index_versions DROP COLUMN shingled;
UPDATE people_`+name+` SET terms = ARRAY(SELECT t FROM unnest(terms) t WHERE t NOT LIKE '% %')`)
	expect.NoError(t, err)
	again := pgindex.New(pool)
	expect.NoError(t, again.Setup(t.Context()))
	phrase := query.Phrase{Field: title, Words: []string{"software", "engineer"}}
	if n, err := again.Count(t.Context(), index.People, phrase, 0); err != nil || n != 1 {
		t.Errorf("found %d, %v", n, err)
	}
	next, err := again.Create(t.Context())
	expect.NoError(t, err)
	var shingled bool
	if err := pool.QueryRow(t.Context(), "SELECT shingled FROM index_versions WHERE name = $1",
		next).Scan(&shingled); err != nil || !shingled {
		t.Errorf("a new version has shingles: %v, %v", shingled, err)
	}
}
