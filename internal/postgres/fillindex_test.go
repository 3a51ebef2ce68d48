package postgres_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"kith/index/pgindex"
	"kith/internal/demo"
	"kith/internal/imports/loader"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// oddPeople are lines with members that the database might change.
const oddPeople = `{"full_name":" Ann  Example ","social_url":"https://social.example/in/ann","about_me":"",` +
	`"skills":[],"emails":["ann@a.example","ann@b.example"],"sources":["crm:2","crm:1"],` +
	`"work_relevant":{"title":"Engineer",` +
	`"company":{"name":"Acme","domain":"acme.example","keywords":[],"funding":{"price":"1M","investors":[]}},` +
	`"start_date":"2020","end_date":""},"education_history":[{"institute":"École","start_date":"","end_date":null}]}
{"full_name":"Łukasz Ø","email":"L@o.example","location":{"country":"Polska"},"work_history":[{"title":"",` +
	`"company":{"name":"Acme","industry":"Retail","employee_count":12},"start_date":null,"end_date":"2019-02"},` +
	`{"title":"CTO"}]}
`

// Documents made from lines in memory equal those made from stored records.
func TestFilledIndexEqualsAReindex(t *testing.T) {
	files, err := demo.WriteFiles(t.Context(), t.TempDir(), demo.Config{Seed: 3, People: 200}, demo.Plain, nil)
	expect.NoError(t, err)
	db := pgtest.NewDataset(t)
	engine := pgindex.New(db.Pool())
	expect.NoError(t, engine.Setup(t.Context()))
	r := indexer.NewReindexer(indexer.NewDrainer(db, engine, zerolog.Nop()))
	opts := loader.Options{Rejects: filepath.Join(t.TempDir(), "rejects"), Stdin: strings.NewReader(oddPeople)}
	expect.NoError(t, r.Fill(t.Context(), nil, func(ctx context.Context, into *indexer.Build) error {
		opts.Into = into
		for _, f := range files {
			if _, err := loader.New(db).File(ctx, record.ForEveryone(), f.Path, opts); err != nil {
				return err
			}
		}
		opts.Kind = record.People
		stats, err := loader.New(db).File(ctx, record.ForEveryone(), "-", opts)
		if stats.Created != 2 {
			t.Errorf("got the stats %+v", stats)
		}
		return err
	}))
	filled := documents(t, db, engine)
	expect.NoError(t, r.Reindex(t.Context(), nil))
	rebuilt := documents(t, db, engine)
	if len(filled) == 0 || !slices.Equal(filled, rebuilt) {
		for i := range min(len(filled), len(rebuilt)) {
			if filled[i] != rebuilt[i] {
				t.Errorf("filled:\n%s\nby a reindex:\n%s", filled[i], rebuilt[i])
				break
			}
		}
		t.Fatalf("%d rows were filled and %d by a reindex", len(filled), len(rebuilt))
	}
}

// documents returns the rows of the active version.
func documents(t *testing.T, db *postgres.DB, engine *pgindex.Index) (rows []string) {
	t.Helper()
	versions, err := engine.Versions(t.Context())
	expect.NoError(t, err)
	for _, v := range versions {
		for _, table := range []string{"people_", "people_nested_", "companies_"} {
			found, err := db.Pool().Query(t.Context(), "select t::text from "+table+v.Name+" t order by 1")
			expect.NoError(t, err)
			texts, err := pgx.CollectRows(found, pgx.RowTo[string])
			expect.NoError(t, err)
			rows = append(rows, texts...)
		}
	}
	return rows
}
