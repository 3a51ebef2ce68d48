package pgtest

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"kith/index/pgindex"
	"kith/internal/test/expect"
)

// Engine returns an engine with a first version in a database.
func Engine(t testing.TB, pool *pgxpool.Pool) *pgindex.Index {
	t.Helper()
	ix := pgindex.New(pool)
	expect.NoError(t, ix.Setup(t.Context()))
	return ix
}
