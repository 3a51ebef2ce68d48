package pgindex

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/index"
	"kith/mappings"
	"kith/query"
	"kith/query/indexed"
)

// Documents are first copied into temporary tables. Each version then takes those newer than its own. The connection
// keeps the tables, empty.

// columns lists the columns of a documents table, in the order of [layout.documentRow].
func columns(c index.Collection) []string {
	names := []string{"id", "rank", "version", "phrases", "facets", "record", "terms", "present"}
	if hasSignatures(c) {
		names = append(names, "signature", oneJob)
	}
	return append(names, numberColumns(documentNumbers(c))...)
}

func documentNumbers(c index.Collection) []query.Field {
	if c == index.Companies {
		return mappings.CompanyNumbers()
	}
	return mappings.PersonNumbers()
}

func nestedColumns() []string {
	return append([]string{"person_id", "path", "phrases", "terms", "present"},
		numberColumns(mappings.NestedNumbers())...)
}

func numberColumns(fields []query.Field) []string {
	return kith.Each(fields, query.Column)
}

// staged returns the name of a temporary table.
func staged(table string) string { return "staged_" + table }

// stage copies the documents of a batch into the temporary tables.
func (b *batch) stage(ctx context.Context, tx pgx.Tx, l layout) error {
	if _, err := tx.Exec(ctx, stagingTables(b.c)); err != nil {
		return fmt.Errorf("making the staging tables: %w", err)
	}
	return b.copyTo(ctx, tx, l, staged(string(b.c)), staged("nested"))
}

// stagingTables creates the temporary tables if the connection has none, and empties them otherwise. Like the tables
// of a version they store terms uncompressed, because values are copied in their stored form.
func stagingTables(c index.Collection) string {
	const values = "terms bigint[], present bytea, phrases text"
	table := staged(string(c))
	sql := stagingTable(table, "id bigint, rank bigint, version bigint, "+values+", facets jsonb, record json",
		documentNumbers(c))
	empty := "DELETE FROM " + table + ";"
	if hasSignatures(c) {
		sql += "ALTER TABLE " + table + " ADD COLUMN signature bytea, ADD COLUMN one_job boolean; ALTER TABLE " +
			table + " ALTER COLUMN signature SET STORAGE PLAIN;"
	}
	if c == index.People {
		sql += stagingTable(staged("nested"), "person_id bigint, path text, "+values, mappings.NestedNumbers())
		empty += " DELETE FROM " + staged("nested") + ";"
	}
	return fmt.Sprintf(`DO $$ BEGIN IF to_regclass('pg_temp.%s') IS NULL THEN
  %s
  CREATE TEMPORARY TABLE IF NOT EXISTS accepted (id bigint) ON COMMIT DELETE ROWS;
ELSE
  %s
END IF; END $$`, table, sql, empty)
}

func stagingTable(name, columns string, numbers []query.Field) string {
	for _, column := range numberColumns(numbers) {
		columns += ", " + column + " bigint"
	}
	return fmt.Sprintf(`CREATE TEMPORARY TABLE %[1]s (%[2]s) WITH (toast_tuple_target = 8160) ON COMMIT DELETE ROWS;
  ALTER TABLE %[1]s ALTER COLUMN terms SET STORAGE MAIN;
  `, name, columns)
}

// documentRow is the row of a document, in the order of [columns].
func (l layout) documentRow(d indexed.Flat, signed bool, numbers []query.Field) ([]any, error) {
	facets, err := json.Marshal(d.Facets)
	if err != nil {
		return nil, fmt.Errorf("facets of document %d: %w", d.ID, err)
	}
	if d.Facets == nil {
		facets = []byte("{}")
	}
	record := d.Record
	if record == nil {
		record = json.RawMessage("null")
	}
	e, err := l.encode(d.Fields, signed)
	if err != nil {
		return nil, fmt.Errorf("document %d: %w", d.ID, err)
	}
	row := []any{d.ID, d.Rank, d.Version, l.phrases(d.Fields), facets, []byte(record), e.terms, e.present}
	if signed {
		row = append(row, e.signature, slices.Contains(d.Fields.Keywords[query.JobCount], indexed.OneJob))
	}
	return appendNumbers(row, d.Fields, numbers), nil
}

func appendNumbers(row []any, f indexed.Fields, numbers []query.Field) []any {
	for _, name := range numbers {
		if v, ok := f.Numbers[name]; ok {
			row = append(row, v)
		} else {
			row = append(row, nil)
		}
	}
	return row
}

// subRows yields the rows of all sub-documents of a batch.
type subRows struct {
	layout  layout
	docs    []indexed.Flat
	pending [][]any
	err     error
}

// Next implements pgx.CopyFromSource.
func (s *subRows) Next() bool {
	if len(s.pending) > 0 {
		s.pending = s.pending[1:]
	}
	for len(s.pending) == 0 && len(s.docs) > 0 && s.err == nil {
		s.pending, s.err = s.layout.nestedRows(s.docs[0])
		s.docs = s.docs[1:]
	}
	return len(s.pending) > 0 && s.err == nil
}

// Values implements pgx.CopyFromSource.
func (s *subRows) Values() ([]any, error) { return s.pending[0], nil }

// Err implements pgx.CopyFromSource.
func (s *subRows) Err() error { return s.err }

func (l layout) nestedRows(d indexed.Flat) (rows [][]any, err error) {
	for _, path := range query.Paths() {
		for _, sub := range d.Nested[path] {
			e, err := l.encode(sub, false)
			if err != nil {
				return nil, fmt.Errorf("document %d, %s: %w", d.ID, path, err)
			}
			row := []any{d.ID, string(path), l.phrases(sub), e.terms, e.present}
			rows = append(rows, appendNumbers(row, sub, mappings.NestedNumbers()))
		}
	}
	return rows, nil
}

// merge copies staged documents that are newer than a version's. It replaces sub-documents in later statements: by
// then the rows of the documents are locked, and the statements see everything that earlier writers stored.
func (b *batch) merge(ctx context.Context, tx pgx.Tx, l layout) error {
	names, version := columns(b.c), l.version
	list := strings.Join(names, ", ")
	sets := kith.Each(names, func(name string) string { return name + " = excluded." + name })
	statements := []string{fmt.Sprintf(`WITH taken AS (
  INSERT INTO %[1]s_%[2]s AS have (%[3]s) SELECT %[3]s FROM %[5]s ORDER BY id
  ON CONFLICT (id) DO UPDATE SET %[4]s WHERE have.version < excluded.version RETURNING id)
INSERT INTO accepted SELECT id FROM taken`, b.c, version, list, strings.Join(sets, ", "), staged(string(b.c)))}
	if b.c == index.People {
		nested := strings.Join(nestedColumns(), ", ")
		statements = append(statements,
			fmt.Sprintf("DELETE FROM people_nested_%s WHERE person_id IN (SELECT id FROM accepted)", version),
			fmt.Sprintf("INSERT INTO people_nested_%s (%s) SELECT %s FROM %s WHERE person_id IN (SELECT id FROM "+
				"accepted)",
				version, nested, nested, staged("nested")))
	}
	statements = append(statements, "DELETE FROM accepted")
	for _, sql := range statements {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("merging into index version %s: %w", version, err)
		}
	}
	return nil
}
