package record

import (
	"context"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/conn"
	"kith/internal/record/indexer"
)

// BeginVocabulary implements [indexer.Vocabulary].
func (db Vocabulary) BeginVocabulary(ctx context.Context) error {
	return db.InTx(ctx, "begin a vocabulary", func(tx pgx.Tx) error {
		if err := db.lockVocabulary(ctx, tx); err != nil {
			return err
		}
		if err := emptyBuilt(ctx, tx); err != nil {
			return err
		}
		if err := dropBuiltIndexes(ctx, tx); err != nil {
			return err
		}
		return conn.Exec(ctx, tx, "mark", conn.MarkSetting, conn.SettingVocabularyBuilding)
	})
}

// CountTerms implements [indexer.Vocabulary].
func (db Vocabulary) CountTerms(ctx context.Context, terms []indexer.RecordTerms) error {
	return db.InTx(ctx, "build a vocabulary", func(tx pgx.Tx) error {
		if err := db.lockVocabulary(ctx, tx); err != nil {
			return err
		}
		terms, err := dropDeleted(ctx, tx, terms)
		if err != nil {
			return err
		}
		for _, t := range tallyByOwner(terms) {
			if err := t.write(ctx, tx, vocabularyBuilt); err != nil {
				return err
			}
		}
		return nil
	})
}

// IndexTerms implements [indexer.Vocabulary].
func (db Vocabulary) IndexTerms(ctx context.Context) error {
	return db.whileBuilding(ctx, "index a vocabulary", indexBuilt)
}

// DropVocabulary implements [indexer.Vocabulary].
func (db Vocabulary) DropVocabulary(ctx context.Context) error {
	return db.whileBuilding(ctx, "drop an unfinished vocabulary", emptyBuilt)
}

// whileBuilding runs f with the vocabulary locked, if one is under construction.
func (db Vocabulary) whileBuilding(ctx context.Context, what string, f func(context.Context, pgx.Tx) error) error {
	return db.InTx(ctx, what, func(tx pgx.Tx) error {
		if err := db.lockVocabulary(ctx, tx); err != nil {
			return err
		}
		built, err := building(ctx, tx)
		if err != nil || !built {
			return err
		}
		return f(ctx, tx)
	})
}

// swapVocabulary puts the newly built vocabulary into use, if there is one.
func (db Vocabulary) swapVocabulary(ctx context.Context, tx pgx.Tx) error {
	if err := db.lockVocabulary(ctx, tx); err != nil {
		return err
	}
	built, err := building(ctx, tx)
	if err != nil || !built {
		return err
	}
	if err := indexBuilt(ctx, tx); err != nil {
		return err
	}
	// Lock in the order of a look-up, to avoid a deadlock.
	if _, err := tx.Exec(ctx, "lock table vocabulary, vocabulary_spelling in access exclusive mode"); err != nil {
		return err
	}
	for _, t := range [][2]string{
		{vocabularyInUse.terms(), vocabularyBuilt.terms()},
		{vocabularyInUse.spelling(), vocabularyBuilt.spelling()},
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

// emptyBuilt empties the tables of a vocabulary under construction, and clears its mark.
func emptyBuilt(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "truncate "+vocabularyBuilt.terms()+", "+vocabularyBuilt.spelling()); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "delete from settings where key = $1", conn.SettingVocabularyBuilding)
	return err
}

// builtIndexes returns the indexes of a vocabulary, by table. Postgres names them, because the tables change names and
// keep their indexes.
func builtIndexes() map[string][]string {
	return map[string][]string{
		vocabularyBuilt.terms(): {
			"(owner) where owner <> ''",
			"using gin (array_to_tsvector(string_to_array(term, ' '))) with (fastupdate = off) where term like '% %'",
		},
		// Without a pending list, which every look-up would have to scan.
		vocabularyBuilt.spelling(): {"using gin (keys) with (fastupdate = off)"},
	}
}

// listIndexes lists the indexes of a table apart from its primary key.
func listIndexes(ctx context.Context, tx pgx.Tx, table string) ([]string, error) {
	return conn.Collect(ctx, tx, "indexes of "+table, pgx.RowTo[string],
		"select indexrelid::regclass::text from pg_index where indrelid = $1::regclass and not indisprimary", table)
}

// dropBuiltIndexes drops all indexes of the vocabulary under construction except the primary keys. Indexing all terms
// at the end takes a fraction of the time and disk space of indexing them one by one.
func dropBuiltIndexes(ctx context.Context, tx pgx.Tx) error {
	for table := range builtIndexes() {
		indexes, err := listIndexes(ctx, tx, table)
		if err != nil {
			return err
		}
		for _, index := range indexes {
			if _, err := tx.Exec(ctx, "drop index "+index); err != nil {
				return err
			}
		}
	}
	return nil
}

// indexBuilt creates the missing indexes of the vocabulary under construction.
func indexBuilt(ctx context.Context, tx pgx.Tx) error {
	// With more memory, the pages of an index on keys stay half empty.
	if _, err := tx.Exec(ctx, "set local statement_timeout = 0; set local maintenance_work_mem = '8MB'"); err != nil {
		return err
	}
	for table, wanted := range builtIndexes() {
		indexes, err := listIndexes(ctx, tx, table)
		if err != nil {
			return err
		}
		if len(indexes) > 0 {
			continue
		}
		for _, index := range wanted {
			if _, err := tx.Exec(ctx, "create index on "+table+" "+index); err != nil {
				return err
			}
		}
	}
	return nil
}
