package postgres_test

import (
	"context"
	"testing"

	"github.com/rs/zerolog"

	"kith/index/load"
	"kith/index/memindex"
	"kith/internal/pgtest"
	"kith/internal/postgres"
)

// lost are locks that a process believes to have: Postgres gave them back when
// it lost the connection.
type lost struct{}

func (lost) Lock(context.Context, string) (func(), error) { return func() {}, nil }

func (lost) TryLock(context.Context, string) (func(), bool, error) { return func() {}, true, nil }

// A drainer whose lock is lost writes a person whom another drainer has deleted
// from the index meanwhile. The person does not stay there, and those who do are
// counted once.
func TestLockLostWhileWriting(t *testing.T) {
	db := openDB(t, pgtest.URL(t), postgres.Options{})
	ix := &failing{Index: memindex.New()}
	other := load.NewDrainer(sourceOf(db), ix.Index, zerolog.Nop())
	check(t, other.Drain(t.Context()))
	loadLines(t, db, load.People, employee("Ann", "Acme", "Engineer"), employee("Bob", "Acme", "Engineer"))
	source := sourceOf(db)
	source.Locks = lost{}
	ix.once = func() error {
		check(t, other.Drain(t.Context()))
		_, err := keeperOf(db).Delete(t.Context(), "ann")
		check(t, err)
		return other.Drain(t.Context())
	}
	check(t, load.NewDrainer(source, ix, zerolog.Nop()).Drain(t.Context()))
	if n, err := other.Backlog(t.Context()); n == 0 || err != nil {
		t.Fatalf("%d queued, %v: what was written after another drainer is not looked at again", n, err)
	}
	check(t, other.Drain(t.Context()))
	checkIndexed(t, db, ix)
	checkVocabulary(t, db)
}
