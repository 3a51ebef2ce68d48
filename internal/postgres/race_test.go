package postgres_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith/index/memindex"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// lost is a dataset whose locks were released by Postgres with the connection, unnoticed by the process.
type lost struct{ *postgres.DB }

func (lost) Lock(context.Context, string) (func(), error) { return func() {}, nil }

func (lost) TryLock(context.Context, string) (func(), bool, error) { return func() {}, true, nil }

// A drainer that has lost its lock writes a person whom another drainer has deleted from the index.
// The person does not stay there, and the other people are counted once.
func TestLockLostWhileWriting(t *testing.T) {
	db := pgtest.NewDataset(t)
	ix := &failing{Index: memindex.New()}
	other := indexer.NewDrainer(db, ix.Index, zerolog.Nop())
	expect.NoError(t, other.Drain(t.Context()))
	pgtest.Load(t, db, record.People, employee("Ann", "Acme", "Engineer"), employee("Bob", "Acme", "Engineer"))
	ix.once = func() error {
		expect.NoError(t, other.Drain(t.Context()))
		_, err := indexer.NewKeeper(db).Delete(t.Context(), "ann")
		expect.NoError(t, err)
		return other.Drain(t.Context())
	}
	expect.NoError(t, indexer.NewDrainer(lost{db}, ix, zerolog.Nop()).Drain(t.Context()))
	if n, err := other.Backlog(t.Context()); n == 0 || err != nil {
		t.Fatalf("%d queued, %v: records written after another drainer must be examined again", n, err)
	}
	expect.NoError(t, other.Drain(t.Context()))
	checkIndexed(t, db, ix)
	checkVocabulary(t, db)
}

// A sweep covers recently deleted people who are not stored again.
func TestSweepListsRecentDeletions(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	pgtest.Load(t, db, record.People, person("Ann", `,"id":1`), person("Bob", `,"id":2`), person("Cid", `,"id":3`))
	_, err := indexer.NewKeeper(db).Delete(t.Context(), "1", "2", "3")
	expect.NoError(t, err)
	pgtest.Load(t, db, record.People, person("Cid", `,"id":3`))
	_, err = connect(t, url).Exec(t.Context(),
		"update kith.deleted set deleted_at = now() - interval '1 day' where id = 1")
	expect.NoError(t, err)
	now, err := db.Now(t.Context())
	expect.NoError(t, err)
	for since, want := range map[time.Time][]int64{{}: {1, 2}, now.Add(-time.Hour): {2}} {
		if ids, err := db.Deleted(t.Context(), record.People, since, 0, 10); err != nil || !slices.Equal(ids, want) {
			t.Errorf("since %v: %v, %v, want %v", since, ids, err, want)
		}
	}
}

func TestClaimNamesTheLastEngine(t *testing.T) {
	db := pgtest.NewDataset(t)
	if got, err := db.Claimed(t.Context()); got != "" || err != nil {
		t.Errorf("initially claimed for %q, %v", got, err)
	}
	for _, name := range []string{"one", "another", ""} {
		expect.NoError(t, db.Claim(t.Context(), name))
		if got, err := db.Claimed(t.Context()); got != name || err != nil {
			t.Errorf("claimed for %q, %v, want %q", got, err, name)
		}
	}
}
