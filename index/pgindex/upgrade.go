package pgindex

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith/mappings"
	"kith/query"
)

// upgrade adds missing columns to versions by an earlier Kith, and updates the views, so that they can be written and
// searched until they are rebuilt. The new columns are empty.
func upgrade(ctx context.Context, tx pgx.Tx) error {
	versions, err := names(ctx, tx, "listing the index versions", "SELECT name FROM index_versions")
	if err != nil {
		return err
	}
	changed, err := hasOldViews(ctx, tx)
	if err != nil {
		return err
	}
	for _, version := range versions {
		for table, fields := range map[string][]query.Field{
			"people_": mappings.PersonNumbers(), "people_nested_": mappings.NestedNumbers(),
			"companies_": mappings.CompanyNumbers(),
		} {
			added, err := addColumns(ctx, tx, table+version, "bigint", numberColumns(fields))
			if err != nil {
				return err
			}
			changed = changed || added
		}
		if err := addSignature(ctx, tx, "people_"+version); err != nil {
			return err
		}
		if _, err := addColumns(ctx, tx, "people_"+version, "boolean", []string{oneJob}); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, mappings.PostgresWritten(version)); err != nil {
			return fmt.Errorf("making the table of changes to index version %s: %w", version, err)
		}
	}
	if !changed {
		return nil
	}
	var active string
	if err := tx.QueryRow(ctx, "SELECT name FROM index_versions WHERE active").Scan(&active); err != nil {
		return fmt.Errorf("finding the active index version: %w", err)
	}
	if err := view(ctx, tx, active); err != nil {
		return fmt.Errorf("pointing the views to index version %s: %w", active, err)
	}
	return nil
}

// hasOldViews reports whether the views are from an earlier Kith.
func hasOldViews(ctx context.Context, tx pgx.Tx) (old bool, err error) {
	err = tx.QueryRow(ctx, `SELECT NOT EXISTS (SELECT FROM pg_attribute
  WHERE attrelid = to_regclass('people_search') AND attname = 'fields' AND NOT attisdropped)`).Scan(&old)
	return old, err
}

// addSignature adds the column for signatures, stored within the row, if it is missing.
func addSignature(ctx context.Context, tx pgx.Tx, table string) error {
	added, err := addColumns(ctx, tx, table, "bytea", []string{"signature"})
	if err != nil || !added {
		return err
	}
	if _, err := tx.Exec(ctx, "ALTER TABLE "+table+" ALTER COLUMN signature SET STORAGE PLAIN"); err != nil {
		return fmt.Errorf("keeping the signatures of %s in the rows: %w", table, err)
	}
	return nil
}

// addColumns adds the missing columns of a type. It locks the table only if any are missing.
func addColumns(ctx context.Context, tx pgx.Tx, table, columnType string, wanted []string) (added bool, err error) {
	missing, err := names(ctx, tx, "looking for the columns of "+table, `SELECT w FROM unnest($2::text[]) AS w
		WHERE NOT EXISTS (
  SELECT FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = w AND NOT attisdropped)`, table, wanted)
	if err != nil || len(missing) == 0 {
		return false, err
	}
	for i, name := range missing {
		missing[i] = "ADD COLUMN " + name + " " + columnType
	}
	if _, err := tx.Exec(ctx, "ALTER TABLE "+table+" "+strings.Join(missing, ", ")); err != nil {
		return false, fmt.Errorf("adding columns to %s: %w", table, err)
	}
	return true, nil
}
