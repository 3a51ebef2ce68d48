package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// Deleting a row looks up its references by index. Without one, each of many deleted users would
// scan every table that refers to them.
func TestForeignKeysHaveAnIndex(t *testing.T) {
	db := pgtest.NewDataset(t)
	rows, err := db.Pool().Query(t.Context(), `
		select c.conrelid::regclass || ' ' || pg_get_constraintdef(c.oid) from pg_constraint c
		where c.contype = 'f' and c.connamespace = 'kith'::regnamespace and not exists (
			select from pg_index i where i.indrelid = c.conrelid
			and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
			and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) like '%IS NOT NULL%'))`)
	expect.NoError(t, err)
	lacking, err := pgx.CollectRows(rows, pgx.RowTo[string])
	expect.NoError(t, err)
	for _, key := range lacking {
		t.Errorf("no index begins with the columns of %s", key)
	}
}
