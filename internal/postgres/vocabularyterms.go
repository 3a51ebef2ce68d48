package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"kith/index/semantic"
	"kith/query/analysis"
)

var _ semantic.Vocabulary = (*DB)(nil)

// reviseTerms records that the set of terms changes.
func reviseTerms(ctx context.Context, tx pgx.Tx) error {
	return Exec(ctx, tx, "revise terms", bumpSetting, settingTermsRevision)
}

// TermsRevision implements [semantic.Vocabulary].
func (db *DB) TermsRevision(ctx context.Context) (int64, error) {
	return Value[int64](ctx, db.pool, "terms revision",
		"select coalesce((select value::bigint from settings where key = $1), 0)", settingTermsRevision)
}

// CommonTerms implements [semantic.Vocabulary].
func (db *DB) CommonTerms(ctx context.Context, kind analysis.TermKind, limit int) ([]semantic.Term, error) {
	return Collect(ctx, db.pool, "common terms", func(row pgx.CollectableRow) (semantic.Term, error) {
		t := semantic.Term{Term: analysis.Term{Kind: kind}}
		return t, row.Scan(&t.Text, &t.People)
	}, "select term, people from vocabulary where kind = $1 and owner = '' order by people desc, term limit $2",
		string(kind), limit)
}
