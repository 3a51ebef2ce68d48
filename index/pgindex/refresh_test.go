package pgindex_test

import (
	"fmt"
	"testing"

	"kith/index"
	"kith/index/indextest"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/indexed"
)

// If gathering statistics fails, the next refresh gathers them, however little was written since.
func TestFailedRefreshIsRetried(t *testing.T) {
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
		t.Fatal("statistics were gathered without an active version")
	}
	activate(true)
	expect.NoError(t, ix.Refresh(t.Context()))
	var people float64
	if err := pool.QueryRow(t.Context(),
		"SELECT reltuples FROM pg_class WHERE oid = 'people_v1'::regclass").Scan(&people); err != nil || people <= 0 {
		t.Errorf("the statistics count %v people, %v", people, err)
	}
}

// A tier whose index was left invalid is rebuilt.
func TestInvalidTierIsRebuilt(t *testing.T) {
	pool := pgtest.Pool(t)
	ix := pgtest.Engine(t, pool)
	ix.WalkSoon()
	ix.RefreshAfter(1)
	tiers := func(condition string) (n int) {
		t.Helper()
		err := pool.QueryRow(t.Context(), "SELECT count(*) FROM pg_index WHERE indrelid = 'people_v1'::regclass AND "+
			"indexrelid::regclass::text ~ '_terms_top' AND "+condition).Scan(&n)
		expect.NoError(t, err)
		return n
	}
	refresh := func() {
		t.Helper()
		write(t, ix, "v1")
		expect.NoError(t, ix.Refresh(t.Context()))
	}
	refresh()
	all := tiers("indisvalid")
	// A canceled CREATE INDEX CONCURRENTLY leaves this state in Postgres.
	_, err := pool.Exec(t.Context(),
		"UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'people_v1_terms_top3'::regclass")
	if err != nil || all == 0 || tiers("NOT indisvalid") != 1 {
		t.Fatalf("%d tiers, %d of them invalid, %v", all, tiers("NOT indisvalid"), err)
	}
	refresh()
	if got := tiers("indisvalid"); got != all || tiers("NOT indisvalid") != 0 {
		t.Errorf("%d tiers, want %d", got, all)
	}
}

// A tier that holds more than four times its size is rebuilt; one that holds less stays.
func TestOutgrownTierIsRebuilt(t *testing.T) {
	pool := pgtest.Pool(t)
	ix := pgtest.Engine(t, pool)
	ix.WalkSoon()
	ix.RefreshAfter(1)
	tier := func(size int) (n int) {
		t.Helper()
		var condition string
		expect.NoError(t, pool.QueryRow(t.Context(), "SELECT pg_get_expr(indpred, indrelid) FROM pg_index "+
			"WHERE indexrelid = to_regclass($1)", fmt.Sprintf("people_v1_terms_top%d", size)).Scan(&condition))
		expect.NoError(t, pool.QueryRow(t.Context(), "SELECT count(*) FROM people_v1 WHERE "+condition).Scan(&n))
		return n
	}
	writeTo := func(most int64) {
		t.Helper()
		var flats []indexed.Flat
		for id := range most {
			d := indexed.Document{
				ID: id + 1, Rank: id + 1, Version: 1, Fields: indextest.NewFields(), Record: []byte("{}"),
			}
			flats = append(flats, indexed.Flatten(d))
		}
		expect.NoError(t, ix.Write(t.Context(), index.People, []string{"v1"}, flats, nil))
		expect.NoError(t, ix.Refresh(t.Context()))
	}
	writeTo(20)
	expect.Values(t, "people of the tiers", []any{tier(3), tier(9)}, 3, 9)
	writeTo(40)
	expect.Values(t, "people of the tiers, after twice as many", []any{tier(3), tier(9), tier(18)}, 3, 29, 18)
}
