package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/index/load"
)

// BeginVocabulary implements [load.Vocabulary].
func (db *DB) BeginVocabulary(ctx context.Context) error {
	err := db.inTx(ctx, func(tx pgx.Tx) error {
		if err := db.lockVocabulary(ctx, tx); err != nil {
			return err
		}
		if err := emptyBuilt(ctx, tx); err != nil {
			return err
		}
		return exec(ctx, tx, "mark", markSetting, settingVocabularyBuilding)
	})
	if err != nil {
		return fmt.Errorf("begin a vocabulary: %w", err)
	}
	return nil
}

// CountTerms implements [load.Vocabulary].
func (db *DB) CountTerms(ctx context.Context, terms []load.RecordTerms) error {
	err := db.inTx(ctx, func(tx pgx.Tx) error {
		if err := db.lockVocabulary(ctx, tx); err != nil {
			return err
		}
		terms, err := stillStored(ctx, tx, terms)
		if err != nil {
			return err
		}
		for _, t := range talliesOf(terms) {
			if err := t.write(ctx, tx, vocabularyBuilt); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("build a vocabulary: %w", err)
	}
	return nil
}

// DropVocabulary implements [load.Vocabulary].
func (db *DB) DropVocabulary(ctx context.Context) error {
	err := db.inTx(ctx, func(tx pgx.Tx) error {
		if err := db.lockVocabulary(ctx, tx); err != nil {
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

// swapVocabulary puts the vocabulary that was built into use, if there is one.
func (db *DB) swapVocabulary(ctx context.Context, tx pgx.Tx) error {
	if err := db.lockVocabulary(ctx, tx); err != nil {
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
	for _, t := range [][2]string{
		{vocabularyInUse.terms, vocabularyBuilt.terms},
		{vocabularyInUse.spelling, vocabularyBuilt.spelling},
	} {
		inUse, next := t[0], t[1]
		if _, err := tx.Exec(ctx, `alter table `+inUse+` rename to vocabulary_before;
			alter table `+next+` rename to `+inUse+`; alter table vocabulary_before rename to `+next); err != nil {
			return err
		}
	}
	if err := reviseTerms(ctx, tx); err != nil {
		return err
	}
	return emptyBuilt(ctx, tx)
}

// emptyBuilt empties the tables that a vocabulary is built in, and notes that
// none is.
func emptyBuilt(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "truncate "+vocabularyBuilt.terms+", "+vocabularyBuilt.spelling); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "delete from settings where key = $1", settingVocabularyBuilding)
	return err
}
