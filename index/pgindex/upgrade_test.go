package pgindex_test

import (
	"testing"

	"kith/index"
	"kith/index/pgindex"
	"kith/internal/pgtest"
	"kith/query"
)

// A version that an earlier Kith made can be written, searched and seen.
func TestSetupUpgradesEarlierVersions(t *testing.T) {
	pool := pgtest.Pool(t)
	ix := pgtest.Engine(t, pool)
	name := activeVersion(t, ix)
	_, err := pool.Exec(t.Context(), `DROP VIEW people_search, people_search_nested;
ALTER TABLE people_`+name+` DROP COLUMN rising, DROP COLUMN current_stay, DROP COLUMN one_job;
ALTER TABLE people_nested_`+name+` DROP COLUMN stay;`)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := pgindex.New(pool).Setup(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	write(t, ix, name)
	hits, err := ix.Find(t.Context(), index.People, index.FindRequest{Query: query.Exists{Field: query.Rising}, SortBy: query.Rising, Limit: 1})
	if err != nil || len(hits) != 1 || hits[0].ID != 4 {
		t.Errorf("found %v, %v, want the one who rose fastest", hits, err)
	}
	var seen int
	if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM people_search WHERE rising > 0").Scan(&seen); err != nil || seen == 0 {
		t.Errorf("%d in the view, %v", seen, err)
	}
}
