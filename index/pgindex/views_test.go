package pgindex_test

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"kith/index"
	"kith/index/indextest"
	"kith/internal/test/pgtest"
	"kith/query"
)

// A printed query.Statement must find in the views what the driver finds in the tables.
func TestViewsAnswerPrintedStatements(t *testing.T) {
	pool := pgtest.Pool(t)
	ix := pgtest.Engine(t, pool)
	write(t, ix, activeVersion(t, ix))
	for _, c := range indextest.Plans(t) {
		t.Run(c.Name, func(t *testing.T) {
			stages := make([]query.Query, len(c.Stages))
			for i, s := range c.Stages {
				stages[i] = index.Prepare(s)
			}
			stages = append(stages, query.Or{Parts: stages})
			sql := query.Statement{Stages: stages, SortBy: c.SortBy}.SQL()
			rows, err := pool.Query(t.Context(), "SELECT id FROM ("+sql+") s")
			if err != nil {
				t.Fatalf("%v\n%s", err, sql)
			}
			got, err := pgx.CollectRows(rows, pgx.RowTo[int64])
			if err != nil || !slices.Equal(got, slices.Concat(c.Want...)) {
				t.Errorf("found %v, %v, want %v\n%s", got, err, c.Want, sql)
			}
		})
	}
}
