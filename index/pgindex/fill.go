package pgindex

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/index"
	"kith/index/pgfault"
)

// errInUse means that the version is active: a crash must not lose its recent commits.
var errInUse = errors.New("the index version is active")

// fill copies new documents directly into the tables of an unfinished version, at half the cost of staging and with
// half the log. If the version is active or already has one of the documents, it writes nothing and ok is false.
func (ix *Index) fill(ctx context.Context, b *batch, version string) (ok bool, err error) {
	err = pgx.BeginFunc(ctx, ix.pool, func(tx pgx.Tx) error {
		layouts, err := hold(ctx, tx, []string{version})
		if err != nil {
			return err
		}
		if layouts[0].active {
			return errInUse
		}
		// Losing recent commits in a crash is fine: unfinished versions are dropped afterwards.
		if _, err := tx.Exec(ctx, "SET LOCAL synchronous_commit TO off"); err != nil {
			return err
		}
		if err := b.copyTo(ctx, tx, layouts[0], string(b.c)+"_"+version, "people_nested_"+version); err != nil {
			return fmt.Errorf("filling index version %s: %w", version, err)
		}
		return nil
	})
	if errors.Is(err, errInUse) || pgfault.Code(err) == pgfault.UniqueViolation ||
		pgfault.Code(err) == pgfault.DeadlockDetected {
		return false, nil
	}
	return err == nil, err
}

// copyTo copies documents, and the sub-documents of people, into tables.
func (b *batch) copyTo(ctx context.Context, tx pgx.Tx, l layout, documents, nested string) error {
	numbers := documentNumbers(b.c)
	rows := pgx.CopyFromSlice(len(b.docs),
		func(i int) ([]any, error) { return l.documentRow(b.docs[i], hasSignatures(b.c), numbers) })
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{documents}, columns(b.c), rows); err != nil {
		return fmt.Errorf("copying documents: %w", err)
	}
	if b.c != index.People {
		return nil
	}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{nested}, nestedColumns(),
		&subRows{layout: l, docs: b.docs}); err != nil {
		return fmt.Errorf("copying sub-documents: %w", err)
	}
	return nil
}
