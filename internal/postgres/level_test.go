package postgres_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// The database lists the people who changed after a version, including employees of changed companies. The level is the
// version of the records when the queue is empty. It starts again with each new index.
func TestChangesSinceALevelAreListed(t *testing.T) {
	db := pgtest.Dataset(t, pgtest.MigratedURL(t), postgres.Options{Schema: pgtest.Schema})
	pgtest.Load(t, db, record.Companies, `{"id":1,"name":"Initech"}`)
	pgtest.Load(t, db, record.People,
		`{"id":1,"full_name":"Ann","social_url":"https://social.example/in/ann","work_history":[{"title":"Clerk",`+
			`"company":{"id":1}}]}`,
		`{"id":2,"full_name":"Bob","social_url":"https://social.example/in/bob"}`)
	since := func(version int64, n int) (built, level int64, people []int64) {
		t.Helper()
		built, level, people, err := db.Written(t.Context(), version, n)
		expect.NoError(t, err)
		slices.Sort(people)
		return built, level, slices.Compact(people)
	}
	changed := func(when string, version, wantLevel int64, want ...int64) {
		t.Helper()
		_, level, people := since(version, 10)
		expect.Values(t, "level and people "+when, []any{level, fmt.Sprint(people)}, wantLevel, fmt.Sprint(want))
	}
	unseen := func(when string) {
		t.Helper()
		_, unseen, err := db.Unseen(t.Context())
		expect.Values(t, "unseen changes "+when, []any{unseen, err}, false, nil)
	}
	changed("before the queue is empty", 0, 0, 1, 2)
	unseen("while the queue has entries")
	seen := empty(t, db)
	changed("after the queue is empty", seen, seen)
	unseen("after SetSeen")
	pgtest.Load(t, db, record.People, `{"id":2,"full_name":"Bob B","social_url":"https://social.example/in/bob"}`)
	changed("after Bob was written", seen, seen, 2)
	pgtest.Load(t, db, record.Companies, `{"id":1,"name":"Initech","industry":"Software"}`)
	changed("after Ann's company was written", seen, seen, 1, 2)
	if _, _, people := since(seen, 1); len(people) != 1 {
		t.Errorf("want at most one: %v", people)
	}
	if _, _, people := since(math.MaxInt64, 0); len(people) > 0 {
		t.Errorf("after the last version: %v", people)
	}
	again := empty(t, db)
	expect.NoError(t, db.SetSeen(t.Context(), seen)) // a late call
	if _, level, _ := since(again, 10); level != again {
		t.Errorf("the level fell to %d from %d", level, again)
	}
	before, _, _ := since(again, 10)
	expect.NoError(t, db.SetBuilt(t.Context(), "next", 0, time.Unix(0, 0), time.Unix(0, 0)))
	if built, level, _ := since(again, 10); built == before || level != 0 {
		t.Errorf("after an index was built: %d (before %d), level %d", built, before, level)
	}
}

// empty empties the queue and records the level.
func empty(t *testing.T, db *postgres.DB) (version int64) {
	t.Helper()
	entries, err := db.Take(t.Context(), 0, 100)
	expect.NoError(t, err)
	expect.NoError(t, db.Done(t.Context(), entries, nil, nil))
	version, unseen, err := db.Unseen(t.Context())
	if err != nil || !unseen {
		t.Fatalf("with an empty queue: unseen %v, %v", unseen, err)
	}
	expect.NoError(t, db.SetSeen(t.Context(), version))
	return version
}

// Recent deletions are remembered, even after an index was built.
func TestOldDeletionsAreForgottenAfterABuild(t *testing.T) {
	db := pgtest.NewDataset(t)
	pgtest.Load(t, db, record.People, person("Ann", ""), person("Bob", ""))
	_, err := indexer.NewKeeper(db).Delete(t.Context(), "ann")
	expect.NoError(t, err)
	now, err := db.Now(t.Context())
	expect.NoError(t, err)
	for _, c := range []struct {
		before time.Time
		want   int
	}{{now.Add(-time.Hour), 1}, {now.Add(time.Hour), 0}} {
		expect.NoError(t, db.SetBuilt(t.Context(), "next", 0, time.Unix(0, 0), c.before))
		if ids, err := db.Deleted(t.Context(), record.People, time.Unix(0, 0), 0, 10); err != nil ||
			len(ids) != c.want {
			t.Errorf("after forgetting deletions before %v: %v are left, %v, want %d", c.before, ids, err, c.want)
		}
	}
}
