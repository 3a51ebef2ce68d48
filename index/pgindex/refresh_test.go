package pgindex_test

import (
	"testing"

	"kith/internal/pgtest"
)

// Statistics that could not be gathered are gathered the next time, however
// little was written since.
func TestRefreshIsTriedAgain(t *testing.T) {
	pool := pgtest.Pool(t)
	ix := pgtest.Engine(t, pool)
	ix.RefreshAfter(1)
	write(t, ix, "v1")
	activate := func(yes bool) {
		if _, err := pool.Exec(t.Context(), "UPDATE index_versions SET active = $1", yes); err != nil {
			t.Fatal(err)
		}
	}
	activate(false)
	if err := ix.Refresh(t.Context()); err == nil {
		t.Fatal("statistics of no version were gathered")
	}
	activate(true)
	if err := ix.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	var people float64
	if err := pool.QueryRow(t.Context(), "SELECT reltuples FROM pg_class WHERE oid = 'people_v1'::regclass").Scan(&people); err != nil || people <= 0 {
		t.Errorf("there are %v people as far as the statistics know, %v", people, err)
	}
}
