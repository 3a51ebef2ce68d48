package pgindex

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith/mappings"
	"kith/query"
)

// upgrade gives the tables of versions that an earlier Kith made the columns
// that have come since, and the views with them, so that they can be written
// and searched until they are built anew. The columns are empty.
func upgrade(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, "SELECT name FROM index_versions")
	if err != nil {
		return fmt.Errorf("listing the index versions: %w", err)
	}
	versions, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("listing the index versions: %w", err)
	}
	changed := false
	for _, version := range versions {
		for table, fields := range map[string][]query.Field{
			"people_": mappings.PersonNumbers(), "people_nested_": mappings.NestedNumbers(), "companies_": mappings.CompanyNumbers(),
		} {
			added, err := addColumns(ctx, tx, table+version, fields)
			if err != nil {
				return err
			}
			changed = changed || added
		}
	}
	if !changed {
		return nil
	}
	var active string
	if err := tx.QueryRow(ctx, "SELECT name FROM index_versions WHERE active").Scan(&active); err != nil {
		return fmt.Errorf("finding the active index version: %w", err)
	}
	if _, err := tx.Exec(ctx, mappings.PostgresViews(active)); err != nil {
		return fmt.Errorf("pointing the views to index version %s: %w", active, err)
	}
	return nil
}

// addColumns adds the columns of Number fields that a table has not. It locks
// the table only where there are some.
func addColumns(ctx context.Context, tx pgx.Tx, table string, fields []query.Field) (added bool, err error) {
	wanted := make([]string, len(fields))
	for i, f := range fields {
		wanted[i] = mappings.Column(f)
	}
	rows, err := tx.Query(ctx, `SELECT w FROM unnest($2::text[]) AS w WHERE NOT EXISTS (
  SELECT FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = w AND NOT attisdropped)`, table, wanted)
	if err != nil {
		return false, fmt.Errorf("looking for the columns of %s: %w", table, err)
	}
	missing, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(missing) == 0 {
		return false, err
	}
	sql := "ALTER TABLE " + table + " ADD COLUMN " + strings.Join(missing, " bigint, ADD COLUMN ") + " bigint"
	if _, err := tx.Exec(ctx, sql); err != nil {
		return false, fmt.Errorf("adding columns to %s: %w", table, err)
	}
	return true, nil
}
