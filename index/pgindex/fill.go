package pgindex

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/index"
	"kith/index/pgfault"
)

// errInUse says that a version is searched: what is written to it is noted for those who
// keep people in memory.
var errInUse = errors.New("the index version is active")

// fill copies new documents straight into the tables of a version that is being built: at
// half of the cost of staging them, and with half of the log. ok is false, and nothing is
// written, where the version is active or has one of the documents.
func (ix *Index) fill(ctx context.Context, b *batch, version string) (ok bool, err error) {
	err = pgx.BeginFunc(ctx, ix.pool, func(tx pgx.Tx) error {
		layouts, err := hold(ctx, tx, []string{version})
		if err != nil {
			return err
		}
		if layouts[0].active {
			return errInUse
		}
		// After a crash a version that was being built is dropped: it need not outlive one.
		if _, err := tx.Exec(ctx, "SET LOCAL synchronous_commit TO off"); err != nil {
			return err
		}
		return b.copyInto(ctx, tx, layouts[0])
	})
	if errors.Is(err, errInUse) || pgfault.Code(err) == pgfault.UniqueViolation ||
		pgfault.Code(err) == pgfault.DeadlockDetected {
		return false, nil
	}
	return err == nil, err
}

func (b *batch) copyInto(ctx context.Context, tx pgx.Tx, l layout) error {
	if err := b.copyTo(ctx, tx, l, fmt.Sprintf("%s_%s", b.c, l.version), "people_nested_"+l.version); err != nil {
		return fmt.Errorf("filling index version %s: %w", l.version, err)
	}
	return nil
}

// copyTo copies documents, and of people the sub-documents, into tables.
func (b *batch) copyTo(ctx context.Context, tx pgx.Tx, l layout, documents, nested string) error {
	numbers := documentNumbers(b.c)
	rows := pgx.CopyFromSlice(len(b.docs),
		func(i int) ([]any, error) { return l.documentRow(b.docs[i], signed(b.c), numbers) })
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{documents}, l.columns(b.c), rows); err != nil {
		return fmt.Errorf("copying documents: %w", err)
	}
	if b.c != index.People {
		return nil
	}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{nested}, l.nestedColumns(),
		&subRows{layout: l, docs: b.docs}); err != nil {
		return fmt.Errorf("copying sub-documents: %w", err)
	}
	return nil
}
