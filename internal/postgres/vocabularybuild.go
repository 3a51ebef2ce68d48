package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/index/load"
)

// BeginWords implements [load.Vocabulary].
func (db *DB) BeginWords(ctx context.Context) error {
	err := db.inTx(ctx, func(tx pgx.Tx) error {
		if err := db.lockWords(ctx, tx); err != nil {
			return err
		}
		if err := emptyBuilt(ctx, tx); err != nil {
			return err
		}
		return exec(ctx, tx, "mark", markSetting, settingWordsBuilding)
	})
	if err != nil {
		return fmt.Errorf("begin a vocabulary: %w", err)
	}
	return nil
}

// CountWords implements [load.Vocabulary].
func (db *DB) CountWords(ctx context.Context, heard []load.Words) error {
	err := db.inTx(ctx, func(tx pgx.Tx) error {
		if err := db.lockWords(ctx, tx); err != nil {
			return err
		}
		heard, err := stillStored(ctx, tx, heard)
		if err != nil {
			return err
		}
		return tallyOf(heard).write(ctx, tx, wordsBuilt)
	})
	if err != nil {
		return fmt.Errorf("build a vocabulary: %w", err)
	}
	return nil
}

// DropWords implements [load.Vocabulary].
func (db *DB) DropWords(ctx context.Context) error {
	err := db.inTx(ctx, func(tx pgx.Tx) error {
		if err := db.lockWords(ctx, tx); err != nil {
			return err
		}
		also, err := building(ctx, tx)
		if err != nil || !also {
			return err
		}
		return emptyBuilt(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("drop an unfinished vocabulary: %w", err)
	}
	return nil
}

// swapWords puts the vocabulary that was built into use, if there is one.
func (db *DB) swapWords(ctx context.Context, tx pgx.Tx) error {
	if err := db.lockWords(ctx, tx); err != nil {
		return err
	}
	built, err := building(ctx, tx)
	if err != nil || !built {
		return err
	}
	// In the order in which a look-up takes them, so that neither waits for the
	// other for ever.
	if _, err := tx.Exec(ctx, "lock table vocabulary, vocabulary_spelling in access exclusive mode"); err != nil {
		return err
	}
	for _, t := range [][2]string{{wordsInUse.terms, wordsBuilt.terms}, {wordsInUse.spelling, wordsBuilt.spelling}} {
		inUse, next := t[0], t[1]
		if _, err := tx.Exec(ctx, `alter table `+inUse+` rename to vocabulary_before;
			alter table `+next+` rename to `+inUse+`; alter table vocabulary_before rename to `+next); err != nil {
			return err
		}
	}
	return emptyBuilt(ctx, tx)
}

// emptyBuilt empties the tables that a vocabulary is built in, and notes that
// none is.
func emptyBuilt(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "truncate "+wordsBuilt.terms+", "+wordsBuilt.spelling); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "delete from settings where key = $1", settingWordsBuilding)
	return err
}
